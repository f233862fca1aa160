import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { workplaceOfTests, type Serving, type Workplace } from '../cli/app.js'
import { freshDatabase, type FreshDatabase } from '../support/mongodb/server.js'
import { blocksOf } from '../support/pages/blocks.js'
import { makeWalkPlace, runScript } from '../support/pages/walk.js'
import { itWith, toolPath, describeWith } from '../support/required-tools.js'
import { KEPT, createBackupData, restored, writePets, type BackupData, type Writing } from './backup-data.js'

const run = promisify(execFile)
const ENOUGH = 100

describe('a backup of a SQLite file', () => {
  const place = workplaceOfTests()
  let service: Serving
  let backupData: BackupData
  let writing: Writing

  beforeEach(async () => {
    mkdirSync(join(place.folder, 'copy'))
    // This test always uses a SQLite file, even if the run tests a different kind of store.
    const env = { ...KEPT, DATABASE_URL: `sqlite:${data('app.db')}` }
    service = await place.serve(env)
    backupData = await createBackupData(place, service, env)
    writing = writePets(service, backupData)
    while (writing.acknowledged.size < ENOUGH) await pause(5)
  })
  afterEach(async () => {
    service.child.kill('SIGKILL')
    await writing.stop()
  })

  const data = (name: string) => join(place.folder, name)

  /** Expects a consistent copy: IDs without gaps, and every pet that had been acknowledged. */
  async function expectAll(before: ReadonlyMap<number, string>): Promise<void> {
    const { pets, nextId } = await restored(place, backupData, `sqlite:${data('copy/app.db')}`)
    const missing = [...before].filter(([id, name]) => pets.get(id) !== name)
    expect([before.size >= ENOUGH, missing]).to.deep.equal([true, []])
    expect([...pets.keys()]).to.deep.equal(Array.from({ length: pets.size }, (_, index) => index + 1))
    expect(nextId).to.equal(pets.size + 1)
  }

  for (const [title, command] of [
    ['.backup', (copy: string) => `.backup '${copy}'`],
    ['VACUUM INTO', (copy: string) => `VACUUM INTO '${copy}'`],
  ] as const) {
    itWith('sqlite3', `taken by ${title} under write load has every session and pet`, async () => {
      const before = new Map(writing.acknowledged)
      const copy = data('copy/app.db')
      await run(toolPath('sqlite3'), ['-cmd', '.timeout 10000', data('app.db'), command(copy)])
      // Waits for another acknowledged write, which shows that the clients were still writing during the copy.
      while (writing.acknowledged.size <= before.size) await pause(5)
      await writing.stop()
      const { stdout } = await run(toolPath('sqlite3'), [copy, 'PRAGMA integrity_check'])
      expect(stdout.trim()).to.equal('ok')
      await expectAll(before)
    })
  }

  it('needs only the database file if the service was stopped normally', async () => {
    await writing.stop()
    await service.stop()
    copyFileSync(data('app.db'), data('copy/app.db'))
    await expectAll(writing.acknowledged)
  })

  it('needs the file and its -wal file if it is taken after a crash', async () => {
    service.child.kill('SIGKILL')
    await Promise.all([service.ended, writing.stop()])
    expect(existsSync(data('app.db-wal'))).to.equal(true)
    for (const file of ['app.db', 'app.db-wal']) copyFileSync(data(file), data(`copy/${file}`))
    await expectAll(writing.acknowledged)
  })
})

const PETS = 50
const blocksFor = (page: string) =>
  blocksOf(`docs/operate/${page}.md`).flatMap(({ language, text }) =>
    language === 'sh mongodb' ? [text] : [],
  )

describeWith('mongodb', 'a backup of a MongoDB database, as on the pages', () => {
  let place: Workplace
  let databases: readonly FreshDatabase[]

  beforeEach(async () => {
    place = await makeWalkPlace()
    databases = [freshDatabase(), freshDatabase(), freshDatabase()]
  })
  afterEach(async () => {
    await place.remove()
    for (const one of databases) await one.drop()
  })

  /** Runs one block of the page; returns the output if the block fails, and otherwise an empty string. */
  async function does(block: string, env: Record<string, string>): Promise<string> {
    const { code, stdout, stderr } = await runScript(place, block, env)
    return code === 0 ? '' : `${stdout}${stderr}`
  }

  it('contains every session and pet, both as a file and when restored to other databases', async () => {
    const [first, second, third] = databases.map(({ url }) => url) as [string, string, string]
    const env = { ...KEPT, DATABASE_URL: first }
    const service = await place.serve(env)
    const backupData = await createBackupData(place, service, env)
    const writing = writePets(service, backupData)
    while (writing.acknowledged.size < PETS) await pause(5)
    await writing.stop()
    await service.stop()
    const file = `sqlite:${join(place.folder, 'backup.db')}`
    const errors: string[] = []
    for (const [page, from, to] of [
      ['backup', first, ''],
      ['restore', first, second],
      ['copy-store', file, third],
    ] as const) {
      for (const block of blocksFor(page))
        errors.push(await does(block, { DATABASE_URL: from, EMPTY_DATABASE_URL: to }))
    }
    expect(errors).to.deep.equal(['', '', ''])
    for (const DATABASE_URL of [file, third, second]) {
      const { pets, nextId } = await restored(place, backupData, DATABASE_URL)
      expect([...pets].sort()).to.deep.equal([...writing.acknowledged].sort())
      expect(nextId).to.equal(Math.max(...pets.keys()) + 1)
    }
  })
})
