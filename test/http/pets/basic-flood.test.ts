import { expect } from 'chai'
import { createGate } from '../../support/watched-store.js'
import { freshEmail, LOGIN } from '../../support/http/browser.js'
import { servicesOfTests } from '../../support/http/services.js'
import { PASSWORD, type TestOptions } from '../../support/http/service.js'
import type { Kdf } from '../../../src/adapters/scrypt/kdf.js'
import { systemKdf } from '../../../src/adapters/scrypt/kdf.js'
import { PETS } from '../../support/http/pet-calls.js'

const LIMIT = { count: 5, window: 900_000 }
const basic = (email: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`,
})

/** Computes nothing before it is released, and records the passwords that it got. */
function heldKdf() {
  const gate = createGate()
  const asked: string[] = []
  let isHolding = false
  const kdf: Kdf = {
    derive: async (password, cost) => {
      asked.push('decoy')
      if (isHolding) await gate.pass()
      return await systemKdf.derive(password, cost)
    },
    matches: async (password, hash) => {
      asked.push(password)
      if (isHolding) await gate.pass()
      return await systemKdf.matches(password, hash)
    },
    matchesBcrypt: (password, hash) => systemKdf.matchesBcrypt(password, hash),
  }
  return { kdf, asked, hold: () => (isHolding = true), open: () => gate.release() }
}

describe('a flood of wrong Basic credentials', () => {
  const serve = servicesOfTests()

  for (const hashConcurrency of [1, 2, 4]) {
    it(`lets every right login through, with ${hashConcurrency} hashes at a time`, async () => {
      const { kdf, asked, hold, open } = heldKdf()
      const service = await serve({ kdf, hashConcurrency })
      const email = freshEmail()
      await service.account(email)
      hold()
      asked.length = 0
      const answered: number[] = []
      const flood = Array.from({ length: 120 }, async (_, n) => {
        const reply = await service.client.call('GET', PETS, { headers: basic(email, `wrong ${n}`) })
        answered.push(reply.status)
        return reply
      })
      const half = Math.max(1, Math.floor(hashConcurrency / 2))
      // All are rejected while nothing is computed, except the running computations and the 16 waiting.
      while (answered.length < 120 - half - 16 && asked.length <= half) await tick()
      expect(new Set(answered)).to.deep.equal(new Set([503]))
      expect(asked.length).to.be.at.most(half)
      const logins = Array.from({ length: 15 }, () =>
        service.client.call('POST', LOGIN, { json: { email, password: PASSWORD } }),
      )
      open()
      expect((await Promise.all(logins)).map(({ status }) => status)).to.deep.equal(Array(15).fill(200))
      const replies = await Promise.all(flood)
      const refused = replies.filter(({ status }) => status === 503)
      expect(refused).to.have.length(120 - half - 16)
      for (const { headers } of refused) expect(headers['retry-after']).to.match(/^\d+$/)
      expect(replies.filter(({ status }) => status === 401)).to.have.length(half + 16)
      expect(asked.filter((password) => password.startsWith('wrong'))).to.have.length(half + 16)
    })
  }
})
const tick = () => new Promise((resolve) => setImmediate(resolve))

describe('HTTP Basic and LOGIN_LIMIT', () => {
  const serve = servicesOfTests()
  const start = async (options: TestOptions = {}) => {
    const service = await serve({ loginLimit: LIMIT, settings: { trustProxy: 1 }, ...options })
    const from = (address: string, email: string, password: string) =>
      service.client.call('GET', PETS, {
        headers: { ...basic(email, password), 'X-Forwarded-For': address },
      })
    const logIn = (address: string, email: string, password: string) =>
      service.client.call('POST', LOGIN, {
        headers: { 'X-Forwarded-For': address },
        json: { email, password },
      })
    return { store: service.store, service, from, logIn }
  }

  it('counts together with logins, before anything is computed', async () => {
    const { kdf, asked } = heldKdf()
    const { service, from, logIn } = await start({ kdf })
    const email = freshEmail()
    await service.account(email)
    asked.length = 0
    for (let n = 0; n < 3; n += 1) expect((await from('192.0.2.1', email, `wrong ${n}`)).status).to.equal(401)
    for (let n = 0; n < 2; n += 1) expect((await logIn('192.0.2.1', email, 'wrong')).status).to.equal(401)
    expect(asked).to.have.length(5)
    const refused = await from('192.0.2.1', email, PASSWORD)
    expect([refused.status, refused.headers['retry-after']]).to.deep.equal([429, '900'])
    expect(refused.json).to.deep.equal({ code: 429, message: 'Too many attempts, try again later.' })
    expect((await logIn('192.0.2.1', email, PASSWORD)).status).to.equal(429)
    expect(asked).to.have.length(5)
    expect((await from('192.0.2.2', email, PASSWORD)).status).to.equal(200)
  })

  it('costs the right pair one count and no more writes, however many concurrent requests', async () => {
    const { store, service, from } = await start()
    const email = freshEmail()
    await service.account(email)
    let takes = 0
    const take = store.attempts.take.bind(store.attempts)
    Object.assign(store.attempts, {
      take: (...given: Parameters<typeof take>) => {
        takes += 1
        return take(...given)
      },
    })
    const watching = await serve({ store, loginLimit: LIMIT })
    const ask = () => watching.client.call('GET', PETS, { headers: basic(email, PASSWORD) })
    const replies = await Promise.all(Array.from({ length: 30 }, ask))
    for (let n = 0; n < 30; n += 1) replies.push(await ask())
    expect(new Set(replies.map(({ status }) => status))).to.deep.equal(new Set([200]))
    expect(takes).to.equal(1)
    for (let n = 0; n < 5; n += 1) await from('127.0.0.1', email, 'wrong')
    expect((await ask()).status).to.equal(200)
  })
})
