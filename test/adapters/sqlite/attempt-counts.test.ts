import { existsSync, mkdirSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import { createAttempts, type Attempts } from '../../../src/adapters/sqlite/attempt-limiter.js'
import { connect } from '../../../src/adapters/sqlite/driver.js'
import { temporaryFolder } from '../../support/temporary-folder.js'
import { refused } from './refused.js'

const NOW = Date.UTC(2026, 0, 2)
const LIMIT = { count: 2, window: 60_000 }
const END = NOW + LIMIT.window
const countsOf = (...names: readonly string[]) => names.map((name) => ({ name, limit: LIMIT }))

describe('counts of attempts in a file of SQLite', () => {
  const inFolder = temporaryFolder()
  const file = () => inFolder('app.db-attempts')
  let attempts: Attempts
  beforeEach(() => {
    attempts = createAttempts(inFolder('app.db'))
  })
  afterEach(async () => {
    await attempts.close()
  })

  it('are in a file that is made with the first of them, not by a purge', async () => {
    expect(await attempts.purge(NOW, 10)).to.equal(0)
    expect(existsSync(file())).to.equal(false)
    await attempts.take(countsOf('ann'), NOW)
    expect(existsSync(file())).to.equal(true)
  })

  it('go where others are added, twice as many, so that an attack leaves no more than its window', async () => {
    for (let index = 0; index < 10; index += 1) await attempts.take(countsOf(`old ${index}`), NOW)
    await attempts.take(countsOf('new', 'newer'), END)
    expect(await attempts.purge(END, 100)).to.equal(10 - 4)
  })

  it('are as they were where one could not be written, and go on', async () => {
    const endless = [...countsOf('ann'), { name: 'bob', limit: { count: 1, window: Number.NaN } }]
    const failure: unknown = await attempts.take(endless, NOW).catch((error: unknown) => error)
    expect(failure).to.be.instanceOf(Error)
    const outcomes = []
    for (let count = 0; count < 3; count += 1) outcomes.push((await attempts.take(countsOf('ann'), NOW)).kind)
    expect(outcomes).to.deep.equal(['taken', 'taken', 'refused'])
  })

  it('wait for another process that has the file', async () => {
    await attempts.take(countsOf('ann'), NOW)
    const other = await connect(file())
    other.exec('BEGIN IMMEDIATE')
    const taking = attempts.take(countsOf('ann'), NOW)
    // The first try has then met the lock.
    await turn()
    other.exec('COMMIT')
    other.close()
    expect((await taking).kind).to.equal('taken')
  })

  it('are unavailable where their file cannot be made', async () => {
    mkdirSync(file())
    expect((await refused(attempts.take(countsOf('ann'), NOW))).code).to.equal('unavailable')
  })

  it('are unavailable once it is closed', async () => {
    await attempts.take(countsOf('ann'), NOW)
    await attempts.close()
    const late = [attempts.take(countsOf('ann'), NOW), attempts.purge(END, 1)].map(refused)
    for (const refusal of await Promise.all(late))
      expect([refusal.code, refusal.detail]).to.deep.equal(['unavailable', 'The store is closed.'])
  })
})
