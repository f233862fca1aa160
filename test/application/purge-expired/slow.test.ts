import { expect } from 'chai'
import { createMemoryStore } from '../../../src/adapters/memory/index.js'
import { createPurgeExpired } from '../../../src/application/purge-expired.js'
import { purgeStore as purgeStoreOperation } from '../../../src/application/purge-store.js'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import { START } from '../../support/http/service.js'
import { authorizeByDefault } from '../../support/proofs.js'
import { retrying, SLOW } from '../../support/retrying.js'

/** Purges sessions, of which at most `room` can be removed in one call, and keeps the sizes of the batches. */
function purging(count: number, room: number) {
  const { sessions, ...store } = createMemoryStore()
  let left = count
  const limits: number[] = []
  const purge = (_: number, limit: number) => {
    limits.push(limit)
    if (limit > room) return Promise.reject(SLOW)
    const removed = Math.min(left, limit)
    left -= removed
    return Promise.resolve(removed)
  }
  const purgeExpired = createPurgeExpired({ ...store, sessions: { ...sessions, purge }, clock: () => START })
  return { purgeExpired, limits, left: () => left }
}

describe('a purge of a slow store', () => {
  for (const room of [1, 60, 250])
    it(`removes everything in smaller batches if the store can remove ${room} in time`, async () => {
      const { purgeExpired, limits, left } = purging(600, room)
      const purgeStore = purgeStoreOperation.factory({
        authorize: authorizeByDefault,
        purgeExpired,
        retrying,
      })
      expect(await purgeStore({ caller: OPERATOR })).to.equal(600)
      expect(left()).to.equal(0)
      expect(limits.slice(0, 2)).to.deep.equal([500, 250])
    })

  it('looks for more after a batch that was too slow, because that may have removed a part of the next', async () => {
    const { sessions, ...store } = createMemoryStore()
    const answers = [SLOW, 10, 250, 3]
    const purge = () => {
      const answer = answers.shift() ?? 0
      return typeof answer === 'number' ? Promise.resolve(answer) : Promise.reject(answer)
    }
    const parts = { ...store, sessions: { ...sessions, purge }, clock: () => START }
    expect(await createPurgeExpired(parts)(undefined, retrying)).to.equal(263)
    expect(answers).to.deep.equal([])
  })

  it('ends with the error in a service, which purges again later', async () => {
    const { purgeExpired } = purging(600, 250)
    const error: unknown = await purgeExpired().catch((reason: unknown) => reason)
    expect(error).to.equal(SLOW)
  })
})
