import { mkdirSync, readFileSync, rmdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { expect } from 'chai'
import { connect } from '../../../src/adapters/sqlite/driver.js'
import { openSqlite } from '../../../src/adapters/sqlite/store.js'
import { temporaryFolder } from '../../support/temporary-folder.js'
import { refused } from './refused.js'

const COUNTS = [{ name: 'somewhere', limit: { count: 1, window: 1000 } }]

/** Ways to damage the file, by its content afterwards. */
const SPOILED: Readonly<Record<string, (path: string) => void | Promise<void>>> = {
  text: (path) => writeFileSync(path, 'no database '.repeat(1000)),
  'a wrong page': (path) => {
    const bytes = readFileSync(path)
    writeFileSync(path, bytes.fill(0xff, 100, bytes.length))
  },
  'a piece': (path) => truncateSync(path, 1_000),
  'other tables': async (path) => {
    rmSync(path)
    const connection = await connect(path)
    connection.exec('CREATE TABLE attempts (other TEXT)')
    connection.close()
  },
}

describe('the attempts of a SQLite file', () => {
  const inFolder = temporaryFolder()

  it('are counted as soon as their own file can be made, though it could not be at first', async () => {
    const store = await openSqlite(inFolder('app.db'))
    mkdirSync(inFolder('app.db-attempts'))
    const refusal = await refused(store.attempts.take(COUNTS, 0))
    rmdirSync(inFolder('app.db-attempts'))
    const outcome = await store.attempts.take(COUNTS, 0)
    await store.close()
    expect(refusal.code).to.equal('unavailable')
    expect(outcome.kind).to.equal('taken')
  })

  for (const [name, spoil] of Object.entries(SPOILED))
    it(`begin again with an empty file if theirs is damaged, which is reported once (${name})`, async () => {
      const path = inFolder(`${name}.db`)
      const connection = await connect(`${path}-attempts`)
      connection.exec('CREATE TABLE others (name TEXT); INSERT INTO others VALUES (hex(zeroblob(10000)))')
      connection.close()
      await spoil(`${path}-attempts`)
      let reports = 0
      const store = await openSqlite(path, { onAttemptsRecreated: () => (reports += 1) })
      const outcomes = await Promise.all([1, 2, 3].map(() => store.attempts.take(COUNTS, 0)))
      await store.ready()
      await store.close()
      expect(outcomes.map(({ kind }) => kind).sort()).to.deep.equal(['refused', 'refused', 'taken'])
      expect(reports).to.equal(1)
    })

  it('are counted in the new file if theirs was replaced while it was open', async () => {
    const [store, other] = [await openSqlite(inFolder('app.db')), await openSqlite(inFolder('app.db'))]
    await store.attempts.take(COUNTS, 0)
    for (const suffix of ['', '-wal', '-shm']) rmSync(inFolder(`app.db-attempts${suffix}`), { force: true })
    const outcomes = []
    for (const one of [other, store, other]) outcomes.push(await one.attempts.take(COUNTS, 0))
    await Promise.all([store.close(), other.close()])
    expect(outcomes.map(({ kind }) => kind)).to.deep.equal(['taken', 'refused', 'refused'])
  })

  it('make the store not ready from the first that cannot be counted, until one can be', async () => {
    const store = await openSqlite(inFolder('app.db'))
    await store.ready()
    mkdirSync(inFolder('app.db-attempts'))
    await refused(store.attempts.take(COUNTS, 0))
    const refusal = await refused(store.ready())
    rmdirSync(inFolder('app.db-attempts'))
    await store.attempts.take(COUNTS, 0)
    await store.ready()
    await store.close()
    expect(refusal.code).to.equal('unavailable')
  })
})
