import { expect } from 'chai'
import { createScryptHasher } from '../../../src/adapters/scrypt/index.js'
import type { PasswordHash } from '../../../src/domain/identity/password.js'
import { itLimits, itRejects, itVerifies } from '../../support/imported-hashes.js'
import { COST, password } from '../../support/stored-hash.js'

const REST = '.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'
const of = (head: string) => `${head}${'C'.repeat(21)}${REST}`
const WORDPRESS = '$wp$2y$10$Q1xinFjrZeLWJBvxviIL6u834Fu.evIEFHAUVisQ5O.w9Dm0sMdES'
const LIMIT = 'bcrypt cost=14'
const hasher = createScryptHasher({ cost: COST, concurrency: 1 })

describe('bcrypt hashes', () => {
  // From the tests of passlib 1.7.4, which come from John the Ripper and crypt_blowfish; the hashes of cost 4
  // were created with passlib.
  itVerifies([
    ...['$2a$', '$2b$', '$2y$'].map((prefix) => ['U*U', of(`${prefix}05$`)] as const),
    ['pässwörd €😀', '$2y$04$abcdefghijklmnopqrstuuqVj55e6.LS4.ZX/zsPY3vFwMoG16F5.'],
    ['', '$2a$04$abcdefghijklmnopqrstuubyCG3zY1GIXMyxfivm.ClDiInHzxjiq'],
    ['correct horse', '$2$04$abcdefghijklmnopqrstuu62xRgOHofvUD80kqN4W7fhcF5w16HZO'],
  ])

  it('accept a password of 73 bytes if they are hashes of its first 72 bytes', async () => {
    const hash = '$2y$04$abcdefghijklmnopqrstuubzadhGtS2zEF.gu0yd0opP6cVzb.e0i' as PasswordHash
    expect(await hasher.verify(password('x'.repeat(73)), hash)).to.equal(true)
    expect(await hasher.verify(password('x'.repeat(71)), hash)).to.equal(false)
  })

  it('are outdated unless the password has 72 or more bytes, because bcrypt ignores the rest', () => {
    const isOutdated = (text: string) => hasher.isOutdated(of('$2b$05$') as PasswordHash, password(text))
    for (const text of ['x'.repeat(72), 'x'.repeat(73), 'é'.repeat(36), '犬'.repeat(24)])
      expect(isOutdated(text), text).to.equal(false)
    for (const text of ['x'.repeat(71), `${'é'.repeat(35)}x`, '犬'.repeat(23)])
      expect(isOutdated(text), text).to.equal(true)
  })

  itLimits(
    LIMIT,
    ['$2$14$', '$2a$14$', '$2b$14$', '$2y$14$'].map(of),
    ['$2$15$', '$2a$15$', '$2b$31$', '$2y$15$'].map(of),
  )
  itRejects({
    'the faulty algorithm of crypt_blowfish': of('$2x$05$'),
    'a cost of 3': of('$2b$03$'),
    'a cost of 32': of('$2b$32$'),
    'an empty digest': of('$2b$05$').slice(0, 29),
    'a salt that is not canonical': of('$2b$05$').replace('C.E', 'C/E'),
    'a digest that is not canonical': `${of('$2b$05$').slice(0, -1)}X`,
  })
})

describe('WordPress 6.8 hashes', () => {
  // The first hash is from a published demo site; the others were created with Python's bcrypt 4.0 and hmac.
  itVerifies([
    ['admin', WORDPRESS],
    ['pässwörd €', '$wp$2y$04$abcdefghijklmnopqrstuuRWnz0yq2e9vwIxQka/L2jtzWNPnyp/O'],
    [' \tcorrect horse', '$wp$2y$04$abcdefghijklmnopqrstuujv/86KBUqWwIdPp0uRATkCcvgptl1Pm'],
  ])
  itLimits(LIMIT, [WORDPRESS.replace('$10$', '$14$')], [WORDPRESS.replace('$10$', '$15$')])
  itRejects({ 'another prefix': WORDPRESS.replace('2y', '2b'), 'no bcrypt hash': WORDPRESS.slice(0, 40) })
})
