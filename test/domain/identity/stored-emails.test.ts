import { expect } from 'chai'
import type { AccountId } from '../../../src/domain/identity/account.js'
import type { Email } from '../../../src/domain/identity/email.js'
import { emailChanges, formerEmails } from '../../../src/domain/identity/stored-emails.js'

const stored = (id: number, email: string) => ({ id: id as AccountId, email: email as Email })

describe('stored emails from an earlier release', () => {
  it('change if their canonical form is different, but not if they are no longer valid', () => {
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
