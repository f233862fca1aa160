import { expect } from 'chai'
import { createLimitMailRequests } from '../../../../src/application/identity/proofs/limit-mail-requests.js'
import { createMemoryStore } from '../../../../src/adapters/memory/store.js'
import { systemDigest } from '../../../../src/adapters/system/index.js'
import type { Email } from '../../../../src/domain/identity/email.js'
import { TooManyAttempts } from '../../../../src/domain/refusal.js'
import type { AttemptLimit } from '../../../../src/ports/attempt-limiter.js'
import { AT } from '../../../support/logins.js'
import { refusalOf } from '../../../support/refusal-of.js'

const EMAIL = 'ada@example.com' as Email
const CLIENT = { address: '192.0.2.1' }
const MINUTE = 60_000

describe('the limits on requests for emails', () => {
  const limiting = (networkLimit?: AttemptLimit) => {
    const clock = { now: AT }
    const limit = createLimitMailRequests({
      attempts: createMemoryStore().attempts,
      digest: systemDigest,
      clock: () => clock.now,
      ...(networkLimit && { networkLimit }),
    })
    return { clock, limit }
  }

  it('allow another request only after a refund', async () => {
    const { limit } = limiting()
    const refund = await limit('reset', EMAIL, CLIENT)
    expect(await limit('reset', EMAIL, CLIENT)).to.equal(undefined)
    await refund?.()
    expect(await limit('reset', EMAIL, CLIENT)).to.be.a('function')
  })

  it('report how long a network has to wait', async () => {
    const { clock, limit } = limiting({ count: 1, window: MINUTE })
    await limit('reset', EMAIL, CLIENT)
    clock.now += 20_000
    const refusal = await refusalOf(limit('reset', 'bob@example.com' as Email, CLIENT))
    expect(refusal).to.be.instanceOf(TooManyAttempts).and.include({ retryAfter: 40_000 })
  })

  it('do not count requests from an unknown network, or from any network if no limit is configured', async () => {
    const limited = limiting({ count: 1, window: MINUTE }).limit
    const free = limiting().limit
    for (const [index, client] of [undefined, {}, undefined].entries())
      expect(await limited('reset', `user${index}@example.com` as Email, client)).to.be.a('function')
    for (let index = 0; index < 9; index += 1)
      expect(await free('reset', `user${index}@example.com` as Email, CLIENT)).to.be.a('function')
  })
})
