import { expect } from 'chai'
import { createGate } from '../../support/watched-store.js'
import { freshEmail, LOGIN } from '../../support/http/browser.js'
import { servicesOfTests, PASSWORD } from '../../support/http/service.js'
import { type Kdf, systemKdf } from '../../../src/adapters/scrypt/password-hasher.js'
import { basic, PETS } from '../../support/http/pet-calls.js'

/** A key derivation that waits between `hold` and `open`, and records the passwords that it gets. */
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
    matchesImported: (password, hash) => systemKdf.matchesImported(password, hash),
  }
  return { kdf, asked, hold: () => (isHolding = true), open: () => gate.release() }
}

describe('a flood of wrong Basic credentials', () => {
  const serve = servicesOfTests()

  it('does not prevent valid logins', async () => {
    const hashConcurrency = 4
    const { kdf, asked, hold, open } = heldKdf()
    const service = await serve({ kdf, hashConcurrency })
    const email = freshEmail()
    await service.account(email)
    hold()
    asked.length = 0
    const answered: number[] = []
    const flood = Array.from({ length: 120 }, async (_, n) => {
      const headers = { Authorization: basic(email, `wrong ${n}`) }
      const reply = await service.client.call('GET', PETS, { headers })
      answered.push(reply.status)
      return reply
    })
    const half = hashConcurrency / 2
    // While no hash is finished, all requests are rejected except the running requests and the 16 waiting requests.
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
})
const tick = () => new Promise((resolve) => setImmediate(resolve))
