import { expect } from 'chai'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'

import { connect } from '../../../../src/adapters/sqlite/driver.js'
import { setting } from '../../../../src/adapters/sqlite/schema.js'
import { openSqlite } from '../../../../src/adapters/sqlite/store.js'
import type { AccountId } from '../../../../src/domain/identity/account.js'
import type { PetId } from '../../../../src/domain/catalogue/pet.js'
import { startProcess } from '../../../support/several-processes/other-process.js'
import { refused } from '../refused.js'
import { account, pet } from '../../../support/several-processes/samples.js'
import { collectGarbage } from '../../../support/garbage.js'
import { suiteFolder } from '../../../support/temporary-folder.js'

const FIRST = 1 as PetId
const COUNTS = [{ name: 'somewhere', limit: { count: 1, window: 1000 } }]
/** The package of Node 20 has a file open until its statements are collected. */
const COLLECTIONS = 100

describe('a SQLite file', () => {
  const inFolder = suiteFolder()

  async function alter(path: string, sql: string): Promise<void> {
    const connection = await connect(path)
    connection.exec(sql)
    connection.close()
  }

  it('is made for its owner only, with its folders and the files beside it', async () => {
    const path = inFolder('new', 'deep', 'app.db')
    const before = process.umask(0)
    try {
      const store = await openSqlite(path)
      await store.pets.insert(pet('Rex'))
      await store.attempts.take(COUNTS, 0)
      const folders = [inFolder('new'), inFolder('new', 'deep')]
      const files = ['', '-wal', '-shm', '-attempts', '-attempts-wal'].map((suffix) => `${path}${suffix}`)
      const modes = [folders, files].map((paths) => paths.map((one) => statSync(one).mode & 0o777))
      await store.close()
      expect(modes).to.deep.equal([folders.map(() => 0o700), files.map(() => 0o600)])
    } finally {
      process.umask(before)
    }
  })

  it('is not made if it must exist, and neither is its folder', async () => {
    for (const names of [['none.db'], ['no-folder', 'app.db'], ['no', 'deep', 'folder', 'app.db']]) {
      const path = inFolder(...names)
      const onCreated = () => expect.fail('the store was made')
      const refusal = await refused(openSqlite(path, { create: false, onCreated }))
      expect(refusal.code).to.equal('not-found')
      expect(refusal.detail)
        .to.contain(`The database file ${path} does not exist`)
        .and.contain('"serve --create"')
      expect(refusal.messages).to.deep.equal([{ field: '', type: 'NotFound', message: refusal.detail }])
      expect(existsSync(inFolder(names[0] ?? ''))).to.equal(false)
    }
  })

  it('is not made beside a log that holds data, which stays unchanged', async () => {
    for (const name of ['lost.db', 'gone.db']) {
      const path = inFolder(name)
      writeFileSync(`${path}-wal`, 'commits')
      for (const create of [true, false]) {
        const refusal = await refused(openSqlite(path, { create }))
        expect(refusal.code).to.equal('not-found')
        expect(refusal.detail).to.contain(`its log ${path}-wal holds data`)
      }
      expect([existsSync(path), readFileSync(`${path}-wal`, 'utf8')]).to.deep.equal([false, 'commits'])
    }
    writeFileSync(`${inFolder('empty.db')}-wal`, '')
    await (await openSqlite(inFolder('empty.db'))).close()
  })

  it('is reported when it is made, and not when it exists', async () => {
    const path = inFolder('reported.db')
    const reports: boolean[] = []
    for (const create of [true, true, false]) {
      let isNew = false
      await (await openSqlite(path, { create, onCreated: () => (isNew = true) })).close()
      reports.push(isNew)
    }
    expect(reports).to.deep.equal([true, false, false])
  })

  it('is alone in its folder after the last of its stores was closed, with its attempts', async () => {
    const path = inFolder('closed', 'app.db')
    const [first, last] = [await openSqlite(path), await openSqlite(path)]
    for (const store of [first, last]) {
      await store.pets.insert(pet('Rex'))
      await store.attempts.take(COUNTS, 0)
    }
    await first.close()
    const between = readdirSync(inFolder('closed'))
    await last.pets.insert(pet('Mia'))
    await last.close()
    const left = () => readdirSync(inFolder('closed')).sort()
    for (let turns = COLLECTIONS; turns > 0 && left().length > 2; turns -= 1) await collectGarbage()
    expect(between).to.include.members(['app.db-wal', 'app.db-attempts-wal'])
    expect(left()).to.deep.equal(['app.db', 'app.db-attempts'])
  })

  it('keeps what was written', async () => {
    const path = inFolder('kept.db')
    const first = await openSqlite(path)
    await first.pets.insert(pet('Rex'))
    await first.close()
    const second = await openSqlite(path)
    const found = await second.pets.find(FIRST)
    await second.close()
    expect(found).to.deep.equal({ id: 1, name: 'Rex', revision: 1 })
  })

  it('never gives the id of a removed account or pet again, not even after it was opened anew', async () => {
    const path = inFolder('ids.db')
    const first = await openSqlite(path)
    await first.accounts.insert(account('first@example.org'))
    await first.accounts.remove(1 as AccountId)
    await first.pets.insert(pet('Rex'))
    await first.pets.remove(FIRST)
    await first.close()
    const second = await openSqlite(path)
    const inserted = await second.accounts.insert(account('second@example.org'))
    const next = await second.pets.insert(pet('Mia'))
    await second.close()
    for (const one of [inserted, next]) expect(one).to.deep.equal({ kind: 'inserted', id: 2 })
  })

  it('is whole without its log after close', async () => {
    const path = inFolder('whole.db')
    const store = await openSqlite(path)
    await store.pets.insert(pet('Rex'))
    await store.close()
    copyFileSync(path, inFolder('copy.db'))
    const copy = await openSqlite(inFolder('copy.db'))
    const found = await copy.pets.find(FIRST)
    await copy.close()
    expect(found?.name).to.equal('Rex')
    expect(statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0).to.equal(0)
  })

  it('is left in the mode in which a write waits for the log only', async () => {
    const path = inFolder('mode.db')
    await (await openSqlite(path)).close()
    const connection = await connect(path)
    const mode = setting(connection, 'PRAGMA journal_mode')
    connection.close()
    expect(mode).to.equal('wal')
  })

  it('finishes what is under way when it is closed, and refuses what comes later', async () => {
    const path = inFolder('late.db')
    const store = await openSqlite(path)
    const underWay = store.pets.insert(pet('Rex'))
    const closing = store.close()
    const late = [store.pets.insert(pet('Late')), store.pets.find(FIRST), store.ready()].map(refused)
    await closing
    await store.close()
    const codes = (await Promise.all(late)).map((one) => [one.code, one.detail])
    expect(await underWay).to.deep.equal({ kind: 'inserted', id: 1 })
    expect(codes).to.deep.equal(Array.from({ length: 3 }, () => ['unavailable', 'The store is closed.']))
  })

  it('answers what has been asked when it is closed, where that waits for others to ask too', async () => {
    const store = await openSqlite(inFolder('asked.db'))
    await store.pets.insert(pet('Rex'))
    const asked = store.pets.find(1 as PetId)
    const closing = store.close()
    const late = await refused(store.pets.find(1 as PetId))
    const found = await asked
    await closing
    expect(found?.name).to.equal('Rex')
    expect(late.code).to.equal('unavailable')
  })

  it('of a newer release is refused and left as it was', async () => {
    const path = inFolder('newer.db')
    await (await openSqlite(path)).close()
    await alter(path, 'PRAGMA user_version = 99')
    const before = readFileSync(path)
    const refusal = await refused(openSqlite(path))
    expect(refusal.code).to.equal('incompatible-store')
    expect(refusal.detail).to.match(
      /^The database file has schema version 99 and this release knows versions up to \d+: it was written by a newer release\. /,
    )
    expect(refusal.messages).to.deep.equal([
      { field: '', type: 'IncompatibleStore', message: refusal.detail },
    ])
    expect(readFileSync(path).equals(before)).to.equal(true)
  })

  it('of another program is refused and left as it was', async () => {
    const marked = inFolder('marked.db')
    await alter(marked, 'PRAGMA application_id = 7; CREATE TABLE theirs (a)')
    const plain = inFolder('plain.db')
    await alter(plain, 'CREATE TABLE theirs (a)')
    const before = [marked, plain].map((one) => readFileSync(one))
    const refusals = await Promise.all([marked, plain].map((one) => refused(openSqlite(one))))
    const after = [marked, plain].map((one) => readFileSync(one))
    const detail = 'The database file belongs to another program: name one of its own in DATABASE_URL.'
    expect(refusals.map((one) => [one.code, one.detail])).to.deep.equal([
      ['incompatible-store', detail],
      ['incompatible-store', detail],
    ])
    expect(after.map((one, index) => before[index]?.equals(one))).to.deep.equal([true, true])
  })

  for (const [name, content] of Object.entries({
    'a text': 'not a database at all. '.repeat(500),
    'a line': 'PUBLIC_URL=https://pets.example\n',
    'a picture': '\u0089PNG\r\n\u001a\n'.repeat(100),
  }))
    it(`that is ${name} is refused and left as it was`, async () => {
      const path = inFolder(`${name}.db`)
      writeFileSync(path, content)
      const refusal = await refused(openSqlite(path))
      expect([refusal.code, refusal.detail]).to.deep.equal([
        'incompatible-store',
        'The database file is not a SQLite database: correct DATABASE_URL, or restore a backup.',
      ])
      expect(readFileSync(path, 'utf8')).to.equal(content)
    })

  it('that is overwritten while it is open is unavailable, as a store that may come back', async () => {
    const path = inFolder('overwritten.db')
    const store = await openSqlite(path)
    await store.pets.insert(pet('Rex'))
    await store.close()
    const again = await openSqlite(path)
    writeFileSync(path, 'not a database at all. '.repeat(5_000))
    const refusal = await refused(again.pets.insert(pet('Lost')))
    await again.close()
    expect(refusal.code).to.equal('unavailable')
  })

  for (const [name, sql] of Object.entries({
    'of the current version': 'ALTER TABLE pets RENAME TO horses',
    'of an older version': 'DROP TABLE accounts; PRAGMA user_version = 2',
    'of the version before': 'DROP TABLE projects; PRAGMA user_version = 1',
  }))
    it(`whose tables are not ours is refused (${name})`, async () => {
      const path = inFolder(`tables ${name}.db`)
      await (await openSqlite(path)).close()
      await alter(path, sql)
      const refusal = await refused(openSqlite(path))
      expect([refusal.code, refusal.detail]).to.deep.equal([
        'incompatible-store',
        'The tables of the database file are not those of its schema version: restore a backup, or name another file in DATABASE_URL.',
      ])
    })

  it('is refused where no file can be made', async () => {
    writeFileSync(inFolder('file'), '')
    mkdirSync(inFolder('folder.db'))
    const places = [inFolder('file', 'app.db'), inFolder('folder.db'), '/proc/kennel/app.db', 'a\u0000b']
    const refusals = await Promise.all(places.map((one) => refused(openSqlite(one))))
    const cannot = (reason: string) => `The database file cannot be made or written (${reason}).`
    expect(refusals.map((one) => [one.code, one.detail])).to.deep.equal([
      ['unavailable', cannot('ENOTDIR')],
      ['incompatible-store', 'DATABASE_URL names a folder or a device: name a file.'],
      ['unavailable', cannot('ENOENT')],
      ['unavailable', cannot('ERR_INVALID_ARG_VALUE')],
    ])
  })

  it('that is moved away makes every call unavailable, and moved back works again', async () => {
    const path = inFolder('moved.db')
    const store = await openSqlite(path)
    await store.pets.insert(pet('Rex'))
    renameSync(path, `${path}.away`)
    const refusals = await Promise.all([store.ready(), store.pets.insert(pet('Lost'))].map(refused))
    renameSync(`${path}.away`, path)
    await store.ready()
    const inserted = await store.pets.insert(pet('Next'))
    await store.close()
    expect(refusals.map((one) => one.detail)).to.deep.equal([
      'The database file was moved, replaced or deleted.',
      'The database file was moved, replaced or deleted.',
    ])
    expect(inserted).to.deep.equal({ kind: 'inserted', id: 2 })
  })

  for (const [what, suffix] of [
    ['log', '-wal'],
    ['index of the log', '-shm'],
  ] as const)
    it(`whose ${what} is moved away makes every call unavailable, and moved back works again`, async () => {
      const path = inFolder(`moved${suffix}.db`)
      const store = await openSqlite(path)
      await store.pets.insert(pet('Rex'))
      renameSync(`${path}${suffix}`, `${path}.away`)
      const refusals = await Promise.all([store.ready(), store.pets.insert(pet('Lost'))].map(refused))
      renameSync(`${path}.away`, `${path}${suffix}`)
      const inserted = await store.pets.insert(pet('Next'))
      await store.close()
      expect(refusals.map((one) => one.code)).to.deep.equal(['unavailable', 'unavailable'])
      expect(inserted).to.deep.equal({ kind: 'inserted', id: 2 })
    })

  it('is not ready after a write that failed, until a write has succeeded', async () => {
    const path = inFolder('written.db')
    const store = await openSqlite(path, { timeout: 30, busyTimeout: 1 })
    const other = await connect(path)
    other.exec('BEGIN IMMEDIATE')
    const write = await refused(store.pets.insert(pet('Rex')))
    const ready = await refused(store.ready())
    other.exec('ROLLBACK')
    other.close()
    await store.pets.insert(pet('Rex'))
    await store.ready()
    await store.close()
    const detail = 'The database file was kept locked by another process for too long.'
    expect([write.detail, ready.detail]).to.deep.equal([detail, detail])
  })

  it('keeps the locks of a connection when the same process opens it once more', async () => {
    const path = inFolder('locked.db')
    const store = await openSqlite(path)
    await store.pets.insert(pet('Rex'))
    await (await openSqlite(path)).close()
    // Were no lock left, the last one of another process to close would take the log away.
    const other = await startProcess('open', path)
    await other.ask('silent')
    await other.end()
    const inserted = await store.pets.insert(pet('Next'))
    await store.close()
    expect(inserted).to.deep.equal({ kind: 'inserted', id: 2 })
  })

  it('that was replaced by another is not written to', async () => {
    const [path, other] = [inFolder('replaced.db'), inFolder('other.db')]
    const store = await openSqlite(path)
    await (await openSqlite(other)).close()
    renameSync(other, path)
    const refusal = await refused(store.pets.insert(pet('Lost')))
    await store.close()
    expect(refusal.detail).to.equal('The database file was moved, replaced or deleted.')
  })

  it('is opened without a word on standard error', async () => {
    const other = await startProcess('open', inFolder('silent.db'))
    await other.ask('silent')
    expect(await other.end()).to.equal('')
  })
})
