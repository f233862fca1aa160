import { expect } from 'chai'
import { openDatabase } from '../../../../src/adapters/sqlite/database.js'
import { connect } from '../../../../src/adapters/sqlite/driver.js'
import { openSqlite } from '../../../../src/adapters/sqlite/store.js'
import {
  fillStore,
  makeChange,
  readEverything,
  sessionsAmong,
  storeChanges,
  uncachedPorts,
} from '../../../support/sqlite-changes.js'
import { suiteFolder } from '../../../support/temporary-folder.js'

const ROUNDS = 400

describe('cached rows of a SQLite file', () => {
  const inFolder = suiteFolder()

  for (const [who, isOwn] of [
    ['this store', true],
    ['another connection', false],
  ] as const)
    it(`are never older than the last change by ${who} in ${ROUNDS} random changes`, async () => {
      const path = inFolder(`${who}.db`)
      const [store, other, sql] = [await openSqlite(path), await openSqlite(path), await connect(path)]
      const database = await openDatabase(path)
      const reference = uncachedPorts(database)
      const writer = { store: isOwn ? store : other, sql }
      await fillStore(writer)
      let [hits, sessionHits] = [0, 0]
      let before = await readEverything(store)
      for (const change of storeChanges(1, ROUNDS)) {
        await makeChange(writer, change)
        const cached = await readEverything(store)
        expect(cached, JSON.stringify(change)).to.deep.equal(await readEverything(reference))
        const same = cached.filter((one, index) => one !== undefined && one === before[index])
        hits += same.length
        sessionHits += sessionsAmong(same)
        before = cached
      }
      sql.close()
      await Promise.all([store.close(), other.close(), database.close()])
      expect(sessionHits).to.be.greaterThan(ROUNDS)
      expect(hits - sessionHits).to.be.greaterThan(ROUNDS)
    })
})
