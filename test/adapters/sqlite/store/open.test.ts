import { expect } from 'chai'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { connect } from '../../../../src/adapters/sqlite/driver.js'
import { setting } from '../../../../src/adapters/sqlite/schema.js'
import { openSqlite } from '../../../../src/adapters/sqlite/store.js'
import { addLoggedIn } from '../../../../src/contracts/arrangements.js'
import { aRotation } from '../../../../src/contracts/samples.js'
import type { PetId } from '../../../../src/domain/catalogue/pet.js'
import { startProcess } from '../../../support/several-processes/other-process.js'
import { codeOf, refusalOf } from '../../../support/refusal-of.js'
import { pet } from '../../../support/several-processes/samples.js'
import { suiteFolder } from '../../../support/temporary-folder.js'

const FIRST = 1 as PetId
const COUNTS = [{ name: 'somewhere', limit: { count: 1, window: 1000 } }]
const GONE = 'The database file was moved, replaced or deleted.'
const INCOMPATIBLE = 'incompatible-store'

describe('a SQLite file', () => {
  const inFolder = suiteFolder()

  async function executed(path: string, sql: string): Promise<void> {
    const connection = await connect(path)
    connection.exec(sql)
    connection.close()
  }

  const openedOnce = async (path: string) => await (await openSqlite(path)).close()
  const errorsOf = async (...promises: readonly Promise<unknown>[]) =>
    (await Promise.all(promises.map(refusalOf))).map(({ code, detail }) => [code, detail])

  it('is created with its folders and auxiliary files, accessible only to its owner', async () => {
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

  it('is not created with `create: false`, and neither is its folder', async () => {
    for (const names of [['none.db'], ['no', 'deep', 'folder', 'app.db']]) {
      const path = inFolder(...names)
      const onCreated = () => expect.fail('the store was created')
      const refusal = await refusalOf(openSqlite(path, { create: false, onCreated }))
      expect(refusal.code).to.equal('not-found')
      expect(refusal.detail)
        .to.contain(`The database file ${path} does not exist`)
        .and.contain('"serve --create"')
      expect(refusal.messages).to.deep.equal([{ field: '', type: 'NotFound', message: refusal.detail }])
      expect(existsSync(inFolder(names[0] ?? ''))).to.equal(false)
    }
  })

  it('is not created next to a write-ahead log that contains data, and the log is not changed', async () => {
    const path = inFolder('lost.db')
    writeFileSync(`${path}-wal`, 'commits')
    for (const create of [true, false]) {
      const refusal = await refusalOf(openSqlite(path, { create }))
      expect(refusal.code).to.equal('not-found')
      expect(refusal.detail).to.contain(`its log ${path}-wal contains data`)
    }
    expect([existsSync(path), readFileSync(`${path}-wal`, 'utf8')]).to.deep.equal([false, 'commits'])
    writeFileSync(`${inFolder('empty.db')}-wal`, '')
    await openedOnce(inFolder('empty.db'))
  })

  it('is reported when it is created, but not when it already exists', async () => {
    const path = inFolder('reported.db')
    let reports = 0
    for (const create of [true, true, false]) {
      await (await openSqlite(path, { create, onCreated: () => (reports += 1) })).close()
      expect(reports).to.equal(1)
    }
  })

  it('is in WAL mode, and is complete without its log after it is closed', async () => {
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
    const connection = await connect(path)
    const mode = setting(connection, 'PRAGMA journal_mode')
    connection.close()
    expect(mode).to.equal('wal')
  })

  it('is rejected and left unchanged if it was written by a newer release', async () => {
    const path = inFolder('newer.db')
    await openedOnce(path)
    await executed(path, 'PRAGMA user_version = 99')
    const before = readFileSync(path)
    const { code, detail, messages } = await refusalOf(openSqlite(path))
    expect(code).to.equal(INCOMPATIBLE)
    expect(detail).to.match(
      /^The database file has schema version 99, but .* it was written by a newer release\. /,
    )
    expect(messages).to.deep.equal([{ field: '', type: 'IncompatibleStore', message: detail }])
    expect(readFileSync(path).equals(before)).to.equal(true)
  })

  it('is shared with a newer release until that release removes a part of the schema', async () => {
    const path = inFolder('shared.db')
    await openedOnce(path)
    const mark = (more: object) =>
      `PRAGMA user_version = 99; UPDATE meta SET value = '${JSON.stringify(more)}' WHERE key = 'schema'`
    await executed(path, mark({ version: 99, readableFrom: 1, writableFrom: 23, release: '9.1.0' }))
    const store = await openSqlite(path)
    await store.pets.insert(pet('Mia'))
    await store.close()
    await executed(path, mark({ version: 99, readableFrom: 99, writableFrom: 23, release: '9.1.0' }))
    expect((await refusalOf(openSqlite(path))).detail).to.include('was written by release 9.1.0')
  })

  const FOREIGN = 'The database file belongs to another program: set DATABASE_URL to another file.'
  const NO_DATABASE = 'The database file is not a SQLite database: correct DATABASE_URL, or restore a backup.'
  for (const [what, make, detail] of [
    ['of another program', 'PRAGMA application_id = 7; CREATE TABLE theirs (a)', FOREIGN],
    ['with foreign tables', 'CREATE TABLE theirs (a)', FOREIGN],
    ['that is a line', Buffer.from('PUBLIC_URL=https://pets.example\n'), NO_DATABASE],
    ['that is a picture', Buffer.from('\u0089PNG\r\n\u001a\n'.repeat(100)), NO_DATABASE],
  ] as const)
    it(`${what} is rejected and left unchanged`, async () => {
      const path = inFolder(`${what}.db`)
      if (typeof make === 'string') await executed(path, make)
      else writeFileSync(path, make)
      const before = readFileSync(path)
      expect(await errorsOf(openSqlite(path))).to.deep.equal([[INCOMPATIBLE, detail]])
      expect(readFileSync(path).equals(before)).to.equal(true)
    })

  for (const [name, sql] of Object.entries({
    'the current version': 'ALTER TABLE pets RENAME TO horses',
    'an older version': 'DROP TABLE accounts; PRAGMA user_version = 2',
    'the first version': 'DROP TABLE projects; PRAGMA user_version = 1',
  }))
    it(`is rejected if it has the schema version of ${name} but other tables`, async () => {
      const path = inFolder(`tables of ${name}.db`)
      await openedOnce(path)
      await executed(path, sql)
      const detail =
        'The tables of the database file do not match its schema version: restore a backup, or set DATABASE_URL to another file.'
      expect(await errorsOf(openSqlite(path))).to.deep.equal([[INCOMPATIBLE, detail]])
    })

  it('is rejected if it cannot be created', async () => {
    writeFileSync(inFolder('file'), '')
    mkdirSync(inFolder('folder.db'))
    const places = [inFolder('file', 'app.db'), inFolder('folder.db'), '/proc/kennel/app.db', 'a\u0000b']
    const cannot = (reason: string) => `The database file cannot be created or written to (${reason}).`
    expect(await errorsOf(...places.map((one) => openSqlite(one)))).to.deep.equal([
      ['unavailable', cannot('ENOTDIR')],
      [INCOMPATIBLE, 'DATABASE_URL is the path of a folder or a device: set it to the path of a file.'],
      ['unavailable', cannot('ENOENT')],
      ['unavailable', cannot('ERR_INVALID_ARG_VALUE')],
    ])
  })

  it('becomes unavailable if it is overwritten while open', async () => {
    const path = inFolder('overwritten.db')
    await openedOnce(path)
    const store = await openSqlite(path)
    writeFileSync(path, 'not a database at all. '.repeat(5_000))
    expect(await codeOf(store.pets.insert(pet('Lost')))).to.equal('unavailable')
    await store.close()
  })

  for (const suffix of ['', '-wal', '-shm'])
    it(`is unavailable while app.db${suffix} is moved away, and works again after the file is moved back`, async () => {
      const path = inFolder(`moved${suffix}.db`)
      const store = await openSqlite(path)
      await store.pets.insert(pet('Rex'))
      renameSync(`${path}${suffix}`, `${path}.away`)
      const errors = await errorsOf(store.ready(), store.pets.insert(pet('Lost')))
      renameSync(`${path}.away`, `${path}${suffix}`)
      await store.ready()
      const inserted = await store.pets.insert(pet('Next'))
      await store.close()
      expect(errors.map(([code]) => code)).to.deep.equal(['unavailable', 'unavailable'])
      if (suffix === '') expect(errors.map(([, detail]) => detail)).to.deep.equal([GONE, GONE])
      expect(inserted).to.deep.equal({ kind: 'inserted', id: 2 })
    })

  it('is no longer written to after it has been replaced', async () => {
    const [path, other] = [inFolder('replaced.db'), inFolder('other.db')]
    const store = await openSqlite(path)
    await openedOnce(other)
    renameSync(other, path)
    expect(await errorsOf(store.pets.insert(pet('Lost')))).to.deep.equal([['unavailable', GONE]])
    await store.close()
  })

  it('is not ready after a failed write until a write succeeds', async () => {
    const path = inFolder('written.db')
    const store = await openSqlite(path, { timeout: 30, busyTimeout: 1 })
    const other = await connect(path)
    other.exec('BEGIN IMMEDIATE')
    const errors = [...(await errorsOf(store.pets.insert(pet('Rex')))), ...(await errorsOf(store.ready()))]
    other.exec('ROLLBACK')
    other.close()
    await store.pets.insert(pet('Rex'))
    await store.ready()
    await store.close()
    const detail = 'Another process held the lock on the database file for too long.'
    expect(errors.map(([, one]) => one)).to.deep.equal([detail, detail])
  })

  it('retains the locks of a connection when the same process opens and closes another connection', async () => {
    const path = inFolder('locked.db')
    const store = await openSqlite(path)
    await store.pets.insert(pet('Rex'))
    await openedOnce(path)
    // Without a lock, another process that closes its last connection would remove the log.
    const other = await startProcess('open', path)
    await other.ask('silent')
    expect(await other.end()).to.equal('')
    const inserted = await store.pets.insert(pet('Next'))
    await store.close()
    expect(inserted).to.deep.equal({ kind: 'inserted', id: 2 })
  })

  it('permits no refresh of a session whose account was disabled by an SQL statement', async () => {
    const path = inFolder('disabled.db')
    const store = await openSqlite(path)
    const { session } = await addLoggedIn(store)
    await executed(path, 'UPDATE accounts SET disabled_at = 5')
    const rotation = await store.sessions.rotate(aRotation(session))
    await store.close()
    expect(rotation).to.deep.equal({ kind: 'unknown' })
  })
})
