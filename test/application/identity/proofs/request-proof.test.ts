import { expect } from 'chai'
import type { Email } from '../../../../src/domain/identity/email.js'
import { refuse, TooManyAttempts } from '../../../../src/domain/refusal.js'
import type { AttemptLimit } from '../../../../src/ports/attempt-limiter.js'
import { createMemoryStore } from '../../../../src/adapters/memory/store.js'
import { systemDigest } from '../../../../src/adapters/system/index.js'
import {
  createLimitMailRequests,
  type MailRequest,
} from '../../../../src/application/identity/proofs/request-proof.js'
import { AT } from '../../../support/logins.js'
import { composeProofs, outcomeOf, type ComposedProofs } from '../../../support/mail/composed-proofs.js'
import { ADA, crowded, NEW, requestChange } from '../../../support/mail/proof-flows.js'
import { PASSWORD, presentedBy } from '../../../support/use-cases.js'
import { refusalOf } from '../../../support/refusal-of.js'
import { watching } from '../../../support/watched-store.js'

type Request = (kennel: ComposedProofs, email: string, address?: string) => Promise<unknown>
const signUp: Request = ({ useCases }, email, address = '192.0.2.1') =>
  useCases.requestSignUp({ email, presented: { client: { address } } })
const login: Request = ({ useCases }, email, address = '192.0.2.1') =>
  useCases.requestLoginMail({ email, presented: { client: { address } } })
const change: Request = (kennel, email) => requestChange(kennel, email)

/** Sends the queued emails, and returns the number of emails to each address. */
async function mailsTo(kennel: ComposedProofs, ...emails: readonly string[]): Promise<readonly number[]> {
  await kennel.mails().sendMails()
  return emails.map((email) => kennel.postbox.arrived.filter(({ to }) => to === email).length)
}

describe('requests for email proofs', () => {
  it('send at most one email a minute and five an hour for each purpose and address, however the address is spelled', async () => {
    const kennel = await composeProofs()
    await kennel.account(ADA)
    for (let minute = 0; minute < 7; minute += 1) {
      for (const email of [NEW, 'Lovelace@Example.COM.']) await signUp(kennel, email)
      for (const email of [NEW, 'LOVELACE@example.com']) await change(kennel, email)
      for (const email of [ADA, 'ADA@example.com']) await login(kennel, email)
      const counts = await mailsTo(kennel, NEW, ADA)
      expect(counts).to.deep.equal([2 * Math.min(minute + 1, 5), Math.min(minute + 1, 5)])
      kennel.clock.now += 60_000
    }
  })

  it('do not keep the owner from logging in by email after five requests from another network', async () => {
    const kennel = await composeProofs()
    await kennel.account(ADA)
    const askedFrom = async (address: string) => {
      for (let minute = 0; minute < 6; minute += 1) {
        await login(kennel, ADA, address)
        kennel.clock.now += MINUTE
      }
      return (await mailsTo(kennel, ADA))[0]
    }
    const counts: unknown[] = []
    for (let network = 1; network < 6; network += 1) counts.push(await askedFrom(`192.0.2.${network}`))
    expect(counts).to.deep.equal([5, 10, 15, 20, 20])
  })

  it('keep the secret of the browser if no email is sent, because the code in the last email needs it', async () => {
    const kennel = await composeProofs()
    await kennel.account(ADA)
    const presented = presentedBy(await kennel.login(ADA))
    for (const [name, form] of [
      ['requestSignUp', { email: NEW, presented: {} }],
      ['requestLoginMail', { email: ADA, presented: {} }],
      ['requestEmailChange', { email: NEW, password: PASSWORD, presented }],
    ] as const) {
      const secretFor = async (browserSecret?: string) =>
        (await kennel.useCases[name as 'requestLoginMail']({ ...form, browserSecret })).browserSecret
      const first = await secretFor()
      expect(await secretFor(first)).to.equal(first)
      expect(await secretFor('sid=x'))
        .to.match(/^[\w-]{43}$/)
        .and.not.equal(first)
      kennel.clock.now += MINUTE
      expect(await secretFor(first)).to.not.equal(first)
    }
  })

  it('leave nothing in the store if too many emails are queued', async () => {
    for (const request of [signUp, login, change]) {
      const kennel = await composeProofs({ store: crowded() })
      await kennel.account(ADA)
      expect(await outcomeOf(request(kennel, NEW))).to.include('overloaded')
      for (const purpose of ['sign-up', 'login', 'change-email'] as const)
        expect(await kennel.store.proofs.page(purpose, undefined, 9)).to.be.empty
    }
  })

  it('return the same kind of result and make the same store calls for every email; only the sent emails differ', async () => {
    const bob = 'bob@example.com'
    for (const [request, mails] of [
      [signUp, [1, 1]],
      [login, [1, 0]],
      [change, [0, 1]],
    ] as const) {
      const calls: string[] = []
      const watched = watching(async (name, run) => {
        calls.push(name)
        return await run()
      })
      const kennel = await composeProofs({ store: watched(createMemoryStore()) })
      for (const email of [ADA, bob]) await kennel.account(email)
      const callsFor = async (email: string) => {
        calls.length = 0
        expect(JSON.stringify(await request(kennel, email))).to.match(/^\{"browserSecret":"[\w-]{43}"\}$/)
        return [...calls]
      }
      expect(await callsFor(bob))
        .to.deep.equal(await callsFor(NEW))
        .and.include('mailQueue.enqueue')
      expect(await mailsTo(kennel, bob, NEW)).to.deep.equal(mails)
    }
  })
})

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
