import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import { refuse } from '../../../src/domain/refusal.js'
import type { PasswordHasher } from '../../../src/ports/password-hasher.js'
import { startService, type TestService } from '../../support/http/service.js'
import { basic, expectNoCredentials, PETS } from '../../support/http/pet-calls.js'

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

  const list = (headers: Record<string, string>) => service.client.call('GET', PETS, { headers })
  const costOf = async (work: () => Promise<unknown>) => {
    const before = hashing.count.verifications
    await work()
    return hashing.count.verifications - before
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
  it('causes 503 with Retry-After, and API keys still work', async () => {
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
