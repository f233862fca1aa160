import { expect } from 'chai'
import {
  mailEmails,
  shownEmail,
  type AccountId,
  emailChanges,
  formerEmails,
} from '../../../src/domain/identity/account.js'
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

const stored = (id: number, email: string) => ({ id: id as AccountId, email: email as Email })

describe('stored emails from an earlier release', () => {
  it('are migrated if their canonical form has changed, unless they are no longer valid', () => {
    const emails = [
      ...['ada@example.com', 'ada@faß.example', 'ada@xn--a.example', 'a\u00adb@c', 'νικος@example.com'],
      'ada@example.com.',
    ]
    expect(formerEmails(emails.map((email, index) => stored(index, email)))).to.deep.equal([
      { ...stored(1, 'ada@faß.example'), canonical: 'ada@xn--fa-hia.example' },
      { ...stored(4, 'νικος@example.com'), canonical: 'νικοσ@example.com' },
      { ...stored(5, 'ada@example.com.'), canonical: 'ada@example.com' },
    ])
  })

  it('are replaced by the canonical email if one account has it, and kept if several accounts have it', () => {
    const former = formerEmails([
      stored(1, 'ada@bücher.example'),
      stored(2, 'νικος@example.com'),
      stored(3, 'straße@example.com.'),
      stored(4, 'strasse@example.com.'),
    ])
    const kinds = emailChanges(former, [stored(5, 'νικοσ@example.com')]).map(({ kind, id, canonical }) => [
      kind,
      id,
      canonical,
    ])
    expect(kinds).to.deep.equal([
      ['replace', 1, 'ada@xn--bcher-kva.example'],
      ['share', 2, 'νικοσ@example.com'],
      ['share', 3, 'strasse@example.com'],
      ['share', 4, 'strasse@example.com'],
      ['share', 5, 'νικοσ@example.com'],
    ])
  })

  it('do not change if another instance has changed the account in the meantime', () => {
    const former = formerEmails([stored(1, 'ada@bücher.example'), stored(2, 'ada@BÜCHER.example.')])
    const changed = stored(1, 'ada@xn--bcher-kva.example')
    expect(emailChanges(former.slice(0, 1), [changed])).to.deep.equal([])
    expect(emailChanges(former, [changed]).map(({ kind, id }) => [kind, id])).to.deep.equal([
      ['share', 2],
      ['share', 1],
    ])
  })
})
