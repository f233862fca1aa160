import { expect } from 'chai'
import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { PASSPHRASES } from '../../src/program/read-configuration.js'
import { ConfigurationError } from '../../src/configuration/configuration-error.js'
import { developmentPassphrase, passphraseOf } from '../../src/configuration/development-passphrase.js'
import type { Log, LogFields } from '../../src/ports/log.js'
import { GOOD_PASSPHRASE } from './reading.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const run = promisify(execFile)
const OTHER_PROCESS = fileURLToPath(new URL('./development-passphrase-main.js', import.meta.url))

const making = (make: () => string) => ({ ...PASSPHRASES, generate: make })

describe('the development passphrase', () => {
  const folder = temporaryFolder()
  const never = () => {
    throw new Error('must not be asked for another one')
  }

  it('is made once, in a folder that is made with it, for its owner only', () => {
    const data = folder('deep', 'data')
    const path = join(data, 'development-passphrase')
    const first = developmentPassphrase(
      data,
      making(() => GOOD_PASSPHRASE),
    )
    expect(first).to.deep.equal({ passphrase: GOOD_PASSPHRASE, path, exposed: false })
    expect(developmentPassphrase(data, making(never))).to.deep.equal(first)
    expect(statSync(path).mode & 0o777).to.equal(0o600)
    expect(statSync(data).mode & 0o777).to.equal(0o700)
    expect(readdirSync(data)).to.deep.equal(['development-passphrase'])
  })

  it('is the one that was there first, where another process was quicker', () => {
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

  it('is the same for processes that start at once', async () => {
    const starts = Array.from({ length: 4 }, () => run(process.execPath, [OTHER_PROCESS, folder()]))
    const told = (await Promise.all(starts)).map(({ stdout }) => stdout)
    expect(new Set(told).size).to.equal(1)
    expect(told[0]).to.have.length.above(32)
    expect(readFileSync(folder('development-passphrase'), 'utf8')).to.equal(told[0])
  })

  it('tells when others can read it', () => {
    const { path } = developmentPassphrase(
      folder(),
      making(() => GOOD_PASSPHRASE),
    )
    chmodSync(path, 0o640)
    expect(developmentPassphrase(folder(), making(never)).exposed).to.be.true
  })

  it('is refused where the file holds none, without its content', () => {
    writeFileSync(folder('development-passphrase'), 'Canary')
    const errors = errorsIn(() => developmentPassphrase(folder(), making(never)))
    expect(errors).to.have.lengthOf(1)
    expect(errors[0]).to.include('must have at least 16 characters; remove it and a new one is made')
    expect(errors[0]).not.to.include('Canary')
  })

  it('is refused where it can be neither read nor made', () => {
    mkdirSync(folder('development-passphrase'))
    expect(errorsIn(() => developmentPassphrase(folder(), making(never)))[0]).to.include('(EISDIR)')
    writeFileSync(folder('file'), '')
    const below = folder('file')
    expect(
      errorsIn(() =>
        developmentPassphrase(
          below,
          making(() => GOOD_PASSPHRASE),
        ),
      )[0],
    ).to.include('(ENOTDIR)')
  })

  describe('in the settings', () => {
    it('is not used where one is configured', () => {
      const { log, lines } = recordingLog()
      const store = { kind: 'sqlite', path: folder('app.db') } as const
      expect(passphraseOf({ passphrase: GOOD_PASSPHRASE, store }, log, PASSPHRASES)).to.equal(GOOD_PASSPHRASE)
      expect(lines).to.deep.equal([])
      expect(readdirSync(folder())).to.deep.equal([])
    })

    it('lies beside the database and is said aloud, but not told', () => {
      const { log, lines } = recordingLog()
      const store = { kind: 'sqlite', path: folder('app.db') } as const
      const passphrase = passphraseOf({ passphrase: undefined, store }, log, PASSPHRASES)
      const path = folder('development-passphrase')
      expect(readFileSync(path, 'utf8')).to.equal(`${passphrase}\n`)
      expect(lines).to.deep.equal([
        ['tokens are signed with a passphrase that was generated for development', { detail: path }],
      ])
    })
  })
})

function errorsIn(act: () => unknown): readonly string[] {
  try {
    act()
  } catch (error) {
    if (error instanceof ConfigurationError) return error.errors
    throw error
  }
  throw new Error('was not refused')
}

function recordingLog(): { log: Log; lines: [string, LogFields | undefined][] } {
  const lines: [string, LogFields | undefined][] = []
  const write = (event: string, fields?: LogFields) => void lines.push([event, fields])
  return { log: { debug: write, info: write, warn: write, error: write, enabled: () => true }, lines }
}
