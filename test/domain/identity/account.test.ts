import { expect } from 'chai'
import { mailEmails, shownEmail } from '../../../src/domain/identity/account.js'
import type { Email } from '../../../src/domain/identity/email.js'

describe("an account's displayed email", () => {
  it('is the email as entered if that differs from the canonical email', () => {
    const email = 'ada@example.com' as Email
    expect(shownEmail({ email })).to.equal(email)
    expect(shownEmail({ email, enteredEmail: 'Ada@Example.com' as Email })).to.equal('Ada@Example.com')
  })
})

describe('the addresses under which emails to an account are queued', () => {
  it("are all forms of the email, or only the account's own email if another account shares the canonical form", () => {
    const [email, former] = ['νικοσ@example.com' as Email, 'νικος@example.com' as Email]
    expect(mailEmails({ email, enteredEmail: 'Νικος@example.com' as Email })).to.deep.equal([
      ...['Νικος@example.com', former, email],
    ])
    expect(mailEmails({ email: former, sharedEmail: email })).to.deep.equal([former])
  })
})
