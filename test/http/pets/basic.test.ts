import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import { refuse } from '../../../src/domain/refusal.js'
import type { PasswordHasher } from '../../../src/ports/password-hasher.js'
import { PASSWORD, startService, type TestService } from '../../support/http/service.js'
import { basic, encoded, expectNoCredentials, PETS } from '../../support/http/pet-calls.js'

const ADA = 'ada@example.com'

/** Counts the computations of the wrapped hasher. */
function createHashCount() {
  const count = { verifications: 0 }
  const around = (hasher: PasswordHasher): PasswordHasher => ({
    ...hasher,
    verify: (password, hash) => {
      count.verifications += 1
      return hasher.verify(password, hash)
    },
  })
  return { count, around }
}

describe('HTTP Basic on the pet routes', () => {
  let service: TestService
  const hashing = createHashCount()
  before(async () => {
    service = await startService({ aroundHasher: hashing.around })
    await service.account(ADA)
  })
  after(() => service.close())

  const list = (headers: Record<string, string | readonly string[]>) =>
    service.client.call('GET', PETS, { headers })
  const costOf = async (work: () => Promise<unknown>) => {
    const before = hashing.count.verifications
    await work()
    return hashing.count.verifications - before
  }

  for (const [name, value] of [
    ['Authorization', basic(ADA)],
    ['authorization', basic(ADA).replace('Basic', 'bAsIc')],
    ['BasicAuth', basic(ADA)],
    ['BasicAuth', encoded(ADA)],
    ['basicauth', basic(ADA).replace('Basic', 'basic')],
    ['Authorization', basic(' ADA@Example.COM ')],
    ['Authorization', basic(ADA).replace(/=+$/, '')],
  ] as const) {
    it(`is accepted from "${name}: ${value}"`, async () => {
      expect((await list({ [name]: value })).status).to.equal(200)
    })
  }

  it('accepts a password with colons, and a non-ASCII password in UTF-8', async () => {
    for (const [email, password] of [
      ['colon@example.com', ':a:b:c:d:e:'],
      ['wide@example.com', 'pässwörd-日本-🐕'],
    ] as const) {
      await service.useCases.createUser({ caller: OPERATOR, email, password })
      expect((await list({ Authorization: basic(email, password) })).status).to.equal(200)
      const latin1 = Buffer.from(`${email}:${password}`, 'latin1').toString('base64')
      if (email === 'wide@example.com') expectNoCredentials(await list({ Authorization: `Basic ${latin1}` }))
    }
  })

  it('rejects every wrong credential', async () => {
    const base64 = (text: string | Uint8Array) => `Basic ${Buffer.from(text).toString('base64')}`
    const wrong: Record<string, string> = {
      'no colon': base64(ADA),
      'an empty value': 'Basic',
      'only a space': 'Basic ',
      'two spaces': `Basic  ${encoded(ADA)}`,
      'a tab': `Basic\t${encoded(ADA)}`,
      'not base64': 'Basic %%%',
      'base64 of another alphabet': 'Basic _-_-',
      'text after it': `${basic(ADA)} x`,
      'not UTF-8': base64(Buffer.concat([Buffer.from(`${ADA}:`), Buffer.from([0xff, 0xfe])])),
      'a byte order mark in the password': base64(`${ADA}:\uFEFF${PASSWORD}`),
      'an unknown email': basic('nobody@example.com'),
      'no email': basic(''),
      'no password': basic(ADA, ''),
      'an impossible email': basic('no email at all'),
      'another password': basic(ADA, `${PASSWORD}x`),
      'a password with U+0000': basic(ADA, `${PASSWORD}\u0000`),
      'a password of 5 kB': basic(ADA, 'p'.repeat(5000)),
      'the plain pair': `Basic ${ADA}:${PASSWORD}`,
      'another scheme': `Digest ${encoded(ADA)}`,
      'the word twice': `Basic ${basic(ADA)}`,
      'no word': encoded(ADA),
    }
    for (const [what, value] of Object.entries(wrong)) {
      expectNoCredentials(await list({ Authorization: value }), what)
    }
    expectNoCredentials(await list({ BasicAuth: 'Bearer x' }))
    expectNoCredentials(await list({ BasicAuth: '' }))
  })

  it('accepts repeated equal credentials, and empty headers next to them', async () => {
    const lower = basic(ADA).replace('Basic', 'basic')
    expect((await list({ Authorization: [basic(ADA), basic(ADA)] })).status).to.equal(200)
    expect((await list({ BasicAuth: ['', basic(ADA), encoded(ADA)] })).status).to.equal(200)
    expect((await list({ Authorization: lower, BasicAuth: encoded(ADA) })).status).to.equal(200)
    expect((await list({ Authorization: basic(ADA), BasicAuth: '' })).status).to.equal(200)
    expect((await list({ Authorization: '', BasicAuth: basic(ADA) })).status).to.equal(200)
  })

  it('rejects different credentials together, even if both are right', async () => {
    await service.account('carl@example.com')
    expectNoCredentials(await list({ Authorization: [basic(ADA), basic('carl@example.com')] }))
    expectNoCredentials(await list({ Authorization: basic(ADA), BasicAuth: basic('carl@example.com') }))
    expectNoCredentials(await list({ Authorization: basic(ADA), BasicAuth: 'x' }))
    expectNoCredentials(await list({ Authorization: [basic(ADA), 'Basic'] }))
    expectNoCredentials(await list({ Authorization: '', BasicAuth: '' }))
  })

  it('costs one hash for a right password, however many concurrent requests', async () => {
    const email = 'often@example.com'
    await service.account(email)
    const use = () => list({ Authorization: basic(email) })
    const cost = await costOf(async () => {
      const replies = await Promise.all(Array.from({ length: 16 }, use))
      for (let round = 0; round < 5; round += 1) replies.push(await use())
      expect(replies.map(({ status }) => status)).to.deep.equal(Array(21).fill(200))
    })
    expect(cost).to.equal(1)
  })

  it('costs no hash if the credentials cannot be decoded', async () => {
    expect(
      await costOf(async () => expectNoCredentials(await list({ Authorization: 'Basic %%%' }))),
    ).to.equal(0)
  })
})

describe('HTTP Basic while the hash queue is full', () => {
  it('is 503 with Retry-After; an API key goes on', async () => {
    const full = refuse('overloaded', 'Unavailable', 'Too many requests at once, try again shortly.')
    const service = await startService({
      aroundHasher: (hasher) => ({ ...hasher, verify: () => Promise.reject(full) }),
    })
    try {
      await service.account(ADA)
      const reply = await service.client.call('GET', PETS, { headers: { Authorization: basic(ADA) } })
      expect(reply.status).to.equal(503)
      expect(reply.headers['retry-after']).to.equal('2')
      const headers = { 'X-API-Key': await service.apiKey() }
      expect((await service.client.call('GET', PETS, { headers })).status).to.equal(200)
    } finally {
      await service.close()
    }
  })
})
