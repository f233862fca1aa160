import { expect } from 'chai'
import { ConfigurationError } from '../../src/configuration/sentence.js'
import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { PASSPHRASES } from '../../src/program/read-configuration.js'
import { developmentPassphrase, passphraseOf } from '../../src/configuration/development-passphrase.js'
import { GOOD_PASSPHRASE } from './reading.js'
import { collectingLog } from '../support/log-collector.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const run = promisify(execFile)
const OTHER_PROCESS = fileURLToPath(new URL('./development-passphrase-main.js', import.meta.url))

const making = (generate: () => string) => ({ ...PASSPHRASES, generate })
const GOOD = making(() => GOOD_PASSPHRASE)
const NEVER = making(() => {
  throw new Error('must not be generated')
})

describe('the development passphrase', () => {
  const folder = temporaryFolder()

  it('is created once, in a new folder, readable only by its owner', () => {
    const data = folder('deep', 'data')
    const path = join(data, 'development-passphrase')
    const first = developmentPassphrase(data, GOOD)
    expect(first).to.deep.equal({ passphrase: GOOD_PASSPHRASE, path, exposed: false })
    expect(developmentPassphrase(data, NEVER)).to.deep.equal(first)
    expect(statSync(path).mode & 0o777).to.equal(0o600)
    expect(statSync(data).mode & 0o777).to.equal(0o700)
    expect(readdirSync(data)).to.deep.equal(['development-passphrase'])
  })

  it('comes from the process that wrote the file first', () => {
    const other = `${GOOD_PASSPHRASE}-of-the-other`
    const kept = developmentPassphrase(
      folder(),
      making(() => {
        writeFileSync(folder('development-passphrase'), `${other}\n`, { mode: 0o600 })
        return GOOD_PASSPHRASE
      }),
    )
    expect(kept.passphrase).to.equal(other)
    expect(readdirSync(folder())).to.deep.equal(['development-passphrase'])
  })

  it('is the same for processes that start concurrently', async () => {
    const starts = Array.from({ length: 4 }, () => run(process.execPath, [OTHER_PROCESS, folder()]))
    const told = (await Promise.all(starts)).map(({ stdout }) => stdout)
    expect(new Set(told).size).to.equal(1)
    expect(told[0]).to.have.length.above(32)
    expect(readFileSync(folder('development-passphrase'), 'utf8')).to.equal(told[0])
  })

  it('is reported as exposed only if the file that was read is exposed, even if another file replaces that file', () => {
    const { path } = developmentPassphrase(folder(), GOOD)
    for (const [before, after] of [
      [0o644, 0o600],
      [0o600, 0o644],
    ] as const) {
      chmodSync(path, before)
      writeFileSync(folder('other'), GOOD_PASSPHRASE)
      chmodSync(folder('other'), after)
      const passphraseError = () => {
        renameSync(folder('other'), path)
        return undefined
      }
      const { exposed } = developmentPassphrase(folder(), { ...NEVER, passphraseError })
      expect(exposed, `${before.toString(8)} to ${after.toString(8)}`).to.equal(before === 0o644)
    }
  })

  it('is refused if the file has invalid content, and the error does not show the content', () => {
    writeFileSync(folder('development-passphrase'), 'Canary')
    const sentence = 'must have at least 16 characters; remove the file, and a new passphrase is generated'
    expect(() => developmentPassphrase(folder(), NEVER))
      .to.throw(ConfigurationError, sentence)
      .with.property('message')
      .that.does.not.include('Canary')
  })

  it('is refused if the file can be neither read nor created', () => {
    mkdirSync(folder('development-passphrase'))
    expect(() => developmentPassphrase(folder(), NEVER)).to.throw(ConfigurationError, '(EISDIR)')
    writeFileSync(folder('file'), '')
    expect(() => developmentPassphrase(folder('file'), GOOD)).to.throw(ConfigurationError, '(ENOTDIR)')
  })

  it('is stored next to the database and logged with its path, but only if no passphrase is configured', () => {
    const { log, lines } = collectingLog()
    const store = { kind: 'sqlite', path: folder('app.db') } as const
    expect(passphraseOf({ passphrase: GOOD_PASSPHRASE, store }, log, PASSPHRASES)).to.equal(GOOD_PASSPHRASE)
    expect([lines, readdirSync(folder())]).to.deep.equal([[], []])
    const passphrase = passphraseOf({ passphrase: undefined, store }, log, PASSPHRASES)
    const path = folder('development-passphrase')
    expect(readFileSync(path, 'utf8')).to.equal(`${passphrase}\n`)
    const event = 'tokens are signed with a passphrase that was generated for development'
    expect(lines).to.deep.equal([{ level: 'warn', event, fields: { detail: path } }])
  })
})
