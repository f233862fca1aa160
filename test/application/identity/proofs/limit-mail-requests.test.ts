import { expect } from 'chai'
import {
  createLimitMailRequests,
  type MailRequest,
} from '../../../../src/application/identity/proofs/limit-mail-requests.js'
import { createMemoryStore } from '../../../../src/adapters/memory/store.js'
import { systemDigest } from '../../../../src/adapters/system/index.js'
import type { Email } from '../../../../src/domain/identity/email.js'
import { refuse, TooManyAttempts } from '../../../../src/domain/refusal.js'
import type { AttemptLimit } from '../../../../src/ports/attempt-limiter.js'
import { AT } from '../../../support/logins.js'
import { refusalOf } from '../../../support/refusal-of.js'

const EMAIL = 'ada@example.com' as Email
const CLIENT = { address: '192.0.2.1' }
const MINUTE = 60_000
type Client = MailRequest['client']

describe('the limits for requested emails', () => {
  const limiting = (networkLimit?: AttemptLimit) => {
    const clock = { now: AT }
    const counted = createLimitMailRequests({
      attempts: createMemoryStore().attempts,
      digest: systemDigest,
      clock: () => clock.now,
      ...(networkLimit && { networkLimit }),
    })
    /** Resolves with `true` if the email was queued. */
    const limit = async (email: Email, client: Client, queue = () => Promise.resolve()) => {
      let isQueued = false
      await counted({ kind: 'reset', email, client }, async () => {
        await queue()
        isQueued = true
      })
      return isQueued
    }
    return { clock, limit }
  }

  it('allow another request only if the email could not be queued', async () => {
    const { limit } = limiting()
    const full = refuse('overloaded', 'Unavailable', 'full')
    expect(await refusalOf(limit(EMAIL, CLIENT, () => Promise.reject(full)))).to.equal(full)
    expect(await limit(EMAIL, CLIENT)).to.equal(true)
    expect(await limit(EMAIL, CLIENT)).to.equal(false)
  })

  it('allow one email a minute and five an hour to an address', async () => {
    const { clock, limit } = limiting()
    const queued: boolean[] = []
    for (let minute = 0; minute < 10; minute += 1) {
      queued.push(await limit(EMAIL, CLIENT), await limit(EMAIL, undefined))
      clock.now += MINUTE
    }
    expect(queued.filter(Boolean)).to.have.lengthOf(5)
  })

  it('report how long a network has to wait', async () => {
    const { clock, limit } = limiting({ count: 1, window: MINUTE })
    await limit(EMAIL, CLIENT)
    clock.now += 20_000
    const refusal = await refusalOf(limit('bob@example.com' as Email, CLIENT))
    expect(refusal).to.be.instanceOf(TooManyAttempts).and.include({ retryAfter: 40_000 })
  })

  it('do not count requests from an unknown network, or from any network if no limit is configured', async () => {
    const limited = limiting({ count: 1, window: MINUTE }).limit
    const free = limiting().limit
    for (const [index, client] of [undefined, {}, undefined].entries())
      expect(await limited(`user${index}@example.com` as Email, client)).to.equal(true)
    for (let index = 0; index < 9; index += 1)
      expect(await free(`user${index}@example.com` as Email, CLIENT)).to.equal(true)
  })
})
