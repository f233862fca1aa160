import { mkdirSync, readFileSync, rmdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import { createAttempts, type Attempts } from '../../../src/adapters/sqlite/attempt-limiter.js'
import { connect } from '../../../src/adapters/sqlite/driver.js'
import { openSqlite } from '../../../src/adapters/sqlite/store.js'
import { eachInOrder } from '../../../src/contracts/law.js'
import { refusalOf } from '../../support/refusal-of.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

const NOW = Date.UTC(2026, 0, 2)
const LIMIT = { count: 2, window: 60_000 }
const END = NOW + LIMIT.window
const countsOf = (...names: readonly string[]) => names.map((name) => ({ name, limit: LIMIT }))
const ONCE = [{ name: 'somewhere', limit: { count: 1, window: 1000 } }]

const DAMAGES: Readonly<Record<string, (path: string) => void | Promise<void>>> = {
  text: (path) => writeFileSync(path, 'no database '.repeat(1000)),
  'a wrong page': (path) => {
    const bytes = readFileSync(path)
    writeFileSync(path, bytes.fill(0xff, 100, bytes.length))
  },
  'a piece': (path) => truncateSync(path, 1_000),
  'other tables': async (path) => {
    rmSync(path)
    await execute(path, 'CREATE TABLE attempts (other TEXT)')
  },
}

async function execute(path: string, sql: string): Promise<void> {
  const connection = await connect(path)
  connection.exec(sql)
  connection.close()
}

describe('the attempt limiter in a SQLite file', () => {
  const inFolder = temporaryFolder()
  const file = () => inFolder('app.db-attempts')

  describe('without a store', () => {
    let attempts: Attempts
    beforeEach(() => {
      attempts = createAttempts(inFolder('app.db'))
    })
    afterEach(async () => {
      await attempts.close()
    })
    const take = async (...names: readonly string[]) => await attempts.take(countsOf(...names), NOW)

    it('removes two expired counts for each new count, so that the file stays small during an attack', async () => {
      for (let index = 0; index < 10; index += 1) await take(`old ${index}`)
      await attempts.take(countsOf('new', 'newer'), END)
      expect(await attempts.purge(END, 100)).to.equal(10 - 4)
    })

    it('changes no count if a later count cannot be written', async () => {
      const endless = [...countsOf('ann'), { name: 'bob', limit: { count: 1, window: Number.NaN } }]
      expect(await attempts.take(endless, NOW).catch((error: unknown) => error)).to.be.instanceOf(Error)
      for (const kind of ['taken', 'taken', 'refused'])
        expect(await take('ann')).to.have.property('kind', kind)
    })

    it('waits for another process that has locked the file', async () => {
      await take('ann')
      const other = await connect(file())
      other.exec('BEGIN IMMEDIATE')
      const taking = take('ann')
      // The first attempt finds the file locked.
      await turn()
      other.exec('COMMIT')
      other.close()
      expect((await taking).kind).to.equal('taken')
    })
  })

  it('makes the store unavailable until its file can be created', async () => {
    const store = await openSqlite(inFolder('app.db'))
    await store.ready()
    mkdirSync(file())
    for (const call of [() => store.attempts.take(ONCE, 0), () => store.ready()])
      expect((await refusalOf(call())).code).to.equal('unavailable')
    rmdirSync(file())
    expect((await store.attempts.take(ONCE, 0)).kind).to.equal('taken')
    await store.ready()
    await store.close()
  })

  for (const [name, damage] of Object.entries(DAMAGES))
    it(`starts over in an empty file if the file is damaged, and reports the damage once (${name})`, async () => {
      const path = inFolder(`${name}.db`)
      const rows = 'CREATE TABLE others (name TEXT); INSERT INTO others VALUES (hex(zeroblob(10000)))'
      await execute(`${path}-attempts`, rows)
      await damage(`${path}-attempts`)
      let reports = 0
      const store = await openSqlite(path, { onAttemptsRecreated: () => (reports += 1) })
      const outcomes = await Promise.all([1, 2, 3].map(() => store.attempts.take(ONCE, 0)))
      await store.ready()
      await store.close()
      expect(outcomes.map(({ kind }) => kind).sort()).to.deep.equal(['refused', 'refused', 'taken'])
      expect(reports).to.equal(1)
    })

  it('writes the counts to the new file if the file was replaced while open', async () => {
    const [store, other] = [await openSqlite(inFolder('app.db')), await openSqlite(inFolder('app.db'))]
    await store.attempts.take(ONCE, 0)
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${file()}${suffix}`, { force: true })
    const next = [{ ...ONCE[0]!, name: 'elsewhere' }]
    const outcomes = await eachInOrder([other, store, other], (one) => one.attempts.take(next, 0))
    await Promise.all([store.close(), other.close()])
    expect(outcomes.map(({ kind }) => kind)).to.deep.equal(['taken', 'refused', 'refused'])
  })
})
