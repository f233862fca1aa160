import { expect } from 'chai'
import { OPERATOR as caller } from '../../../src/domain/access/caller.js'
import { composeProofs, outcomeOf, type ComposedProofs } from '../../support/mail/composed-proofs.js'
import { ADA, crowded, issued, confirmed, NEW } from '../../support/mail/proof-flows.js'

const approve = ({ useCases }: ComposedProofs, email: string) =>
  outcomeOf(useCases.approveUser({ caller, email }))

describe('the approval of an account', () => {
  it('enables the account, is audited, and sends an email to the address that signed up', async () => {
    const kennel = await composeProofs({ signUp: { mode: 'approval' } })
    const { byToken } = await issued(kennel, 'sign-up', 'Lovelace@example.com')
    await confirmed(kennel, 'sign-up', byToken)
    await kennel.audited()
    expect(await approve(kennel, NEW)).to.equal('done')
    expect(await kennel.audited()).to.deep.equal(['user.approve cli:tester account:2 success'])
    await kennel.mails().sendMails()
    const mail = { to: 'Lovelace@example.com', subject: 'Your account is approved' }
    expect(kennel.postbox.arrived.at(-1)).to.include(mail)
    expect((await kennel.login(NEW)).identity.accountId).to.equal(2)
  })

  it('is refused with the documented code; the account is enabled even if too many emails are queued', async () => {
    const kennel = await composeProofs({ store: crowded() })
    await kennel.account(ADA)
    await kennel.useCases.disableUser({ caller, email: ADA })
    for (const [email, outcome] of [
      ['lovelace', 'invalid email email-not-valid'],
      [NEW, 'not-found email There is no account with this email.'],
      ['7', 'not-found id There is no account with this id.'],
      [ADA, 'overloaded  Too many emails are waiting, try again later.'],
      ['1', 'conflict email The account is not waiting for approval.'],
    ] as const)
      expect(await approve(kennel, email)).to.equal(outcome)
    expect((await kennel.login(ADA)).identity.email).to.equal(ADA)
  })
})
