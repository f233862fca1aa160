import { expect } from 'chai'
import { createPasswordPolicy } from '../../../../src/application/accounts/hash-new-password.js'
import type { Email } from '../../../../src/domain/identity/email.js'
import type { PasswordBlocklist } from '../../../../src/ports/passwords.js'

const email = 'ada.lovelace@pets.example' as Email

describe('the password policy', () => {
  it('first checks the length, then passes the normalized password and the email to the blocklist', async () => {
    const asked: unknown[] = []
    const refuses: PasswordBlocklist['refuses'] = async (...question) => {
      asked.push(question)
      return question[0] === 'too close' ? 'too-close-to-context' : undefined
    }
    const policy = createPasswordPolicy({ minLength: 8, blocklist: { refuses } })
    expect(await policy('short', { email })).to.deep.equal({
      ok: false,
      type: 'Length',
      rule: 'must have 8 to 1024 characters',
    })
    expect(asked).to.deep.equal([])
    expect(await policy('\uff54\uff4f\uff4f close', { email })).to.deep.equal({
      ok: false,
      type: 'NotValid',
      rule: 'consists mostly of the email or the name of this service: choose another one',
    })
    expect(await policy('Far enough', {})).to.deep.equal({ ok: true, value: 'Far enough' })
    expect(asked).to.deep.equal([
      ['too close', { email }],
      ['Far enough', {}],
    ])
  })

  it('checks only the length if there is no blocklist', async () => {
    const policy = createPasswordPolicy({ minLength: 4 })
    expect(await policy('password', {})).to.deep.equal({ ok: true, value: 'password' })
    expect(await policy('pas', {})).to.include({ ok: false, type: 'Length' })
  })
})
