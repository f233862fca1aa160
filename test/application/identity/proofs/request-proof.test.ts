import { expect } from 'chai'
import { createMemoryStore } from '../../../../src/adapters/memory/store.js'
import { composeProofs, outcomeOf, type ComposedProofs } from '../../../support/mail/composed-proofs.js'
import { ADA, crowded, NEW, requestChange } from '../../../support/mail/proof-flows.js'
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
  it('send at most one email a minute and five an hour for each purpose and address, in any spelling', async () => {
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
