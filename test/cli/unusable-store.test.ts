import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { workplaceOfTests } from './app.js'

/** The preloaded file hides the package with a function that Node 26 deprecates, but that earlier versions cannot replace. */
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
