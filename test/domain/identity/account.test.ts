import { expect } from 'chai'
import { mailEmails, shownEmail } from '../../../src/domain/identity/account.js'
import type { Email } from '../../../src/domain/identity/email.js'

describe('the email of an account that is shown', () => {
  it('is the email as it was entered, if that differs from the canonical email', () => {
    const email = 'ada@example.com' as Email
    expect(shownEmail({ email })).to.equal(email)
    expect(shownEmail({ email, enteredEmail: 'Ada@Example.com' as Email })).to.equal('Ada@Example.com')
  })
})

describe('the emails to which mails of an account wait', () => {
  it('are all forms of its email, and its own email alone if another account shares the canonical form', () => {
    const [email, former] = ['νικοσ@example.com' as Email, 'νικος@example.com' as Email]
    expect(mailEmails({ email, enteredEmail: 'Νικος@example.com' as Email })).to.deep.equal([
      ...['Νικος@example.com', former, email],
    ])
    expect(mailEmails({ email: former, sharedEmail: email })).to.deep.equal([former])
  })
})
