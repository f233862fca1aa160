import { expect } from 'chai'
import fc from 'fast-check'
import { createPasswordBlocklist } from '../../../src/adapters/blocklist/index.js'
import type { PasswordBlocklistOptions } from '../../../src/adapters/blocklist/password-blocklist.js'
import { COMMON_PASSWORDS } from '../../../src/adapters/blocklist/common-passwords.js'
import { foldedPassword, type Password } from '../../../src/domain/identity/password.js'
import type { Email } from '../../../src/domain/identity/email.js'

const LIST = COMMON_PASSWORDS.trim().split('\n')

const objection = async (password: string, email?: string, options?: PasswordBlocklistOptions) =>
  await createPasswordBlocklist(options).refuses(password.normalize('NFKC') as Password, {
    email: email as Email,
  })

describe('the built-in blocklist', () => {
  it('contains the 10,000 most common passwords, case-folded, once each, sorted by frequency', () => {
    expect(LIST.slice(0, 5)).to.deep.equal(['123456', 'password', '12345678', 'qwerty', '123456789'])
    expect(LIST).to.have.lengthOf(10_000)
    expect(new Set(LIST)).to.have.lengthOf(10_000)
    expect(LIST.filter((one) => foldedPassword(one) !== one)).to.deep.equal([])
    expect(LIST).to.include.members(['password123', 'qwertyuiop', 'iloveyou', 'p@ssw0rd', 'changeme'])
  })

  it('rejects each common password regardless of case, and in full-width letters', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...LIST), fc.infiniteStream(fc.boolean()), async (password, upper) => {
        const cased = Array.from(password, (one) => (upper.next().value ? one.toUpperCase() : one)).join('')
        expect(await objection(cased), cased).to.equal('too-common')
        expect(await objection(wide(cased)), wide(cased)).to.equal('too-common')
      }),
    )
  })

  it('accepts part of a listed password, and several listed passwords joined together', async () => {
    const part = LIST.map((one) => one.slice(1)).find((one) => one.length > 5 && !LIST.includes(one)) ?? ''
    expect(LIST.join('\n')).to.include(part)
    expect(await objection(part)).to.equal(undefined)
    expect(await objection('passwordpasswordpassword')).to.equal(undefined)
  })

  it('rejects a password that consists mostly of the service name or the email, and returns the reason', async () => {
    const options = { names: ['kennel', 'doghouse.example'] }
    expect(await objection('Kennel2026!', undefined, options)).to.equal('too-close-to-context')
    expect(await objection('DogHouse-77', undefined, options)).to.equal('too-close-to-context')
    expect(await objection('lovelace1815', 'ada.lovelace@pets.example', options)).to.equal(
      'too-close-to-context',
    )
    expect(await objection('Kennel2026!')).to.equal(undefined)
    // The list is checked first, because every attacker knows it.
    expect(await objection('michael', 'michael@pets.example', options)).to.equal('too-common')
  })

  it('combines a custom list with the built-in list', async () => {
    const list = { has: (folded: string) => folded === 'walrus anvil' }
    expect(await objection('Walrus Anvil', undefined, { list })).to.equal('too-common')
    expect(await objection('password', undefined, { list })).to.equal('too-common')
    expect(await objection('walrus and anvil', undefined, { list })).to.equal(undefined)
  })
})

/** The text in full-width forms. */
function wide(text: string): string {
  return Array.from(text, (one) => String.fromCodePoint((one.codePointAt(0) ?? 0) + 0xfee0)).join('')
}
