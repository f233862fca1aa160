import { mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { expect } from 'chai'
import { openSqlite } from '../../../src/adapters/sqlite/store.js'
import { temporaryFolder } from '../../support/temporary-folder.js'
import { refused } from './refused.js'

const COUNTS = [{ name: 'somewhere', limit: { count: 1, window: 1000 } }]

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

  it('are refused where their file is no database, and counted as soon as it was removed', async () => {
    const store = await openSqlite(inFolder('other.db'))
    writeFileSync(inFolder('other.db-attempts'), 'no database '.repeat(1000))
    const refusal = await refused(store.attempts.take(COUNTS, 0))
    rmSync(inFolder('other.db-attempts'))
    const outcome = await store.attempts.take(COUNTS, 0)
    await store.close()
    expect(refusal).to.deep.include({
      code: 'unavailable',
      detail: 'The database file is not a SQLite database: correct DATABASE_URL, or restore a backup.',
    })
    expect(outcome.kind).to.equal('taken')
  })
})
