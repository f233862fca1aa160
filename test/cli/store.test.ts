import { writeFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { freshDatabase, type FreshDatabase } from '../support/mongodb/server.js'
import { hasTool } from '../support/required-tools.js'
import { SERVER_STORE } from '../support/server-stores.js'
import { credentialsIn, workplaceOfTests, wrongUsageOf } from './app.js'

const PASSWORD = 'a good long password'
const PASSPHRASE = 'Only-for-tests: 4 kennels & 12 hounds'
const PUBLIC_URL = 'http://127.0.0.1:1'

type Result = {
  errors: { field: string; type: string; message: string }[]
  save: number
  records?: Record<string, number>
}

describe('app store copy', () => {
  const place = workplaceOfTests()
  let other: FreshDatabase | undefined
  afterEach(async () => {
    await other?.drop()
    other = undefined
  })

  const copy = async (to: string, env: Record<string, string> = {}) => {
    const { code, stdout, stderr } = await place.app(['store', 'copy', '--to', to], { env })
    return { code, stderr, result: JSON.parse(stdout) as Result }
  }
  const file = (name: string) => `sqlite:${join(place.folder, name)}`
  /** A store of a different kind (SQLite or MongoDB), or another SQLite file if MongoDB is not available. */
  const elsewhere = () => {
    if (SERVER_STORE || !hasTool('mongodb')) return file('elsewhere.db')
    other = freshDatabase()
    return other.url
  }

  it('copies all records, so that sessions stay valid after a copy to another store and back', async () => {
    await place.run('user create ada@example.com --password-stdin', { input: PASSWORD })
    const env = { SECURITY_JWT_PASSPHRASE: PASSPHRASE, PUBLIC_URL }
    const first = await place.serve(env)
    const headers = await credentialsIn(await first.logIn('ada@example.com', PASSWORD))
    await first.stop()
    const url = elsewhere()
    const there = await copy(url)
    const back = await copy(file('back.db'), { DATABASE_URL: url })
    const statuses: number[] = []
    for (const DATABASE_URL of [url, file('back.db')]) {
      const { origin, stop } = await place.serve({ ...env, DATABASE_URL })
      statuses.push((await fetch(`${origin}/api/auth/get-identity`, { headers })).status)
      await stop()
    }
    expect([there.code, there.result.save, there.result.records?.['session']]).to.deep.equal([0, 1, 1])
    expect(back.result).to.deep.equal(there.result)
    expect(statuses).to.deep.equal([200, 200])
  })

  it('rejects a URL that is not a store URL as a usage error, and never shows a password', async () => {
    for (const url of ['bogus:canary', 'memory:', 'mongodb://', 'sqlite:'])
      expect(await wrongUsageOf(place, `store copy --to ${url}`))
        .to.contain('--to')
        .and.to.not.contain('canary')
    const away = await copy('mongodb://user:canary@127.0.0.1:1/kennel?serverSelectionTimeoutMS=300')
    expect(away.code).to.equal(1)
    expect(away.stderr + JSON.stringify(away.result)).to.not.contain('canary')
    expect(away.stderr.replace(/[\s›]+/g, ' ')).to.contain('history of your shell')
  })
})

/** The preloaded file hides the package with a function that Node 26 deprecates; earlier versions have no replacement for it. */
const WITHOUT_PACKAGE = `--disable-warning=DEP0205 --import=${join(import.meta.dirname, 'without-package-main.js')}`
/** A service waits 30 s at startup for a store that may become available; a permanent error is reported in a fraction of that time. */
const WAITING = 'waiting for the store'

type Printed = { errors: { type: string; code: number; message: string }[]; save: number }

describe('a store with a permanent error', () => {
  const place = workplaceOfTests()

  /** Expects that a command and the service print the sentence and exit with 1, without "try again". */
  async function expectSentence(
    env: Record<string, string>,
    sentence: RegExp,
    type = 'IncompatibleStore',
  ): Promise<void> {
    const where = env['NODE_OPTIONS'] === undefined ? 'app' : 'child'
    const command = await place[where](['user', 'create', 'ada@example.com'], { env })
    const { errors, save } = JSON.parse(command.stdout) as Printed
    const service = await place.child(['serve'], { env: { PORT: '0', ...env } })
    expect([command.code, save, service.code]).to.deep.equal([1, 0, 1])
    expect(errors.map((one) => [one.type, one.code])).to.deep.equal([[type, 500]])
    expect(errors[0]?.message).to.match(sentence)
    expect(service.stderr.trim()).to.match(sentence)
    expect(`${command.stdout}${command.stderr}${service.stderr}`).to.not.contain('try again')
    expect(`${service.stdout}${service.stderr}`).to.not.contain(WAITING)
  }

  it('is reported if the database file is a text file or a folder', async () => {
    await writeFile(join(place.folder, 'text.db'), 'PUBLIC_URL=https://pets.example\n')
    await expectSentence({ DATABASE_URL: 'sqlite:text.db' }, /^The database file is not a SQLite database/)
    await mkdir(join(place.folder, 'folder.db'))
    await expectSentence({ DATABASE_URL: 'sqlite:folder.db' }, /^DATABASE_URL is the path of a folder/)
  })

  it('is reported if the driver for the URL is not installed, with a command that installs the driver', async () => {
    await expectSentence(
      {
        NODE_OPTIONS: WITHOUT_PACKAGE,
        MISSING_PACKAGE: 'mongodb',
        DATABASE_URL: 'mongodb://127.0.0.1:1/kennel',
      },
      /^The package "mongodb" is not installed: npm install mongodb$/,
      'MissingPackage',
    )
  })
})
