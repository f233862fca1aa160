import { expect } from 'chai'
import { createMemoryStore } from '../../../src/adapters/memory/store.js'
import { aNewApiKey, apiKeyDigestOf } from '../../../src/contracts/samples.js'
import { OPERATOR as caller } from '../../../src/domain/access/caller.js'
import type { AccountId } from '../../../src/domain/identity/account.js'
import type { Store } from '../../../src/ports/store.js'
import { composeProofs, outcomeOf, type ComposedProofs } from '../../support/mail/composed-proofs.js'
import { ADA, crowded, issued, confirmed, NEW } from '../../support/mail/proof-flows.js'

const approve = ({ useCases }: ComposedProofs, email: string) =>
  outcomeOf(useCases.approveUser({ caller, email }))

const NOT_WAITING = 'conflict email The account is not waiting for approval.'

/** Opens a Kennel with the account `NEW`, which is waiting for approval. */
async function waiting(store: Store = createMemoryStore()): Promise<ComposedProofs> {
  const kennel = await composeProofs({ signUp: { mode: 'approval' }, store })
  const { byToken } = await issued(kennel, 'sign-up', 'Lovelace@example.com')
  await confirmed(kennel, 'sign-up', byToken)
  await kennel.audited()
  return kennel
}

describe('the approval of an account', () => {
  it('enables the account, is audited, and sends an email to the address that was used to sign up', async () => {
    const kennel = await waiting()
    expect(await approve(kennel, NEW)).to.equal('done')
    expect(await kennel.audited()).to.deep.equal(['user.approve cli:tester account:2 success'])
    await kennel.mails().sendMails()
    const mail = { to: 'Lovelace@example.com', subject: 'Your account is approved' }
    expect(kennel.postbox.arrived.at(-1)).to.include(mail)
    expect((await kennel.login(NEW)).identity.accountId).to.equal(2)
  })

  it('reports the documented code; if too many emails are queued, the account is still enabled', async () => {
    const kennel = await waiting(crowded((kind) => kind === 'approved'))
    for (const [email, outcome] of [
      ['lovelace', 'invalid email email-not-valid'],
      ['grace@example.com', 'not-found email There is no account with this email.'],
      ['7', 'not-found id There is no account with this id.'],
      [NEW, 'overloaded  Too many emails are waiting, try again later.'],
      ['2', NOT_WAITING],
    ] as const)
      expect(await approve(kennel, email)).to.equal(outcome)
    expect((await kennel.login(NEW)).identity.accountId).to.equal(2)
  })

  it('is refused for an account that an operator disabled, even immediately after its creation', async () => {
    const kennel = await composeProofs()
    await kennel.account(ADA)
    await kennel.useCases.disableUser({ caller, email: ADA })
    expect(await approve(kennel, ADA)).to.equal(NOT_WAITING)
    expect(await outcomeOf(kennel.login(ADA))).to.equal('login-failed email Login Failed')
  })

  it('is refused if another operator approves and disables the account during the call', async () => {
    const store = createMemoryStore()
    const kennel = await waiting({
      ...store,
      accounts: {
        ...store.accounts,
        async setDisabled(id, ...change) {
          await store.accounts.setDisabled(id, undefined)
          await store.accounts.setDisabled(id, kennel.clock.now + 1)
          return await store.accounts.setDisabled(id, ...change)
        },
      },
    })
    expect(await approve(kennel, NEW)).to.equal(NOT_WAITING)
    expect(await outcomeOf(kennel.login(NEW))).to.equal('login-failed email Login Failed')
  })

  it("revokes the account's API keys", async () => {
    const kennel = await waiting()
    const { apiKeys } = kennel.store
    const createdBy = 2 as AccountId
    await apiKeys.insert({ ...aNewApiKey('left'), createdBy })
    expect(await approve(kennel, NEW)).to.equal('done')
    expect(await apiKeys.find(apiKeyDigestOf('left'), kennel.clock.now)).to.equal(undefined)
  })
})
