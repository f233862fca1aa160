import { expect } from 'chai'
import { systemKdf } from '../../../src/adapters/scrypt/kdf.js'
import type { Kdf } from '../../../src/adapters/scrypt/index.js'
import type { Reply } from '../../support/http/client.js'
import { PASSWORD } from '../../support/http/service.js'
import { LOGIN, newcomer, setCookies } from '../../support/http/browser.js'
import { loggedOut } from '../../support/http/expected.js'
import { servicesOfTests } from '../../support/http/services.js'
import { createGate } from '../../support/watched-store.js'

const TOO_MANY = { message: 'Too many requests at once, try again shortly.', field: '', type: 'TooMany' }
const POOL = 2
const QUEUE = 64

describe('100 concurrent logins', () => {
  const serve = servicesOfTests()

  it('run two hashes at a time, queue 64, and reject the rest with Retry-After', async () => {
    const gate = createGate()
    let holding = false
    let running = 0
    let most = 0
    const held: Kdf = {
      ...systemKdf,
      matches: async (password, hash) => {
        running += 1
        most = Math.max(most, running)
        if (holding) await gate.pass()
        const right = await systemKdf.matches(password, hash)
        running -= 1
        return right
      },
    }
    const service = await serve({ kdf: held, hashConcurrency: POOL })
    const { email } = await newcomer(service)
    const watcher = await newcomer(service)
    holding = true
    const refused: Reply[] = []
    let everyRefusal: () => void = () => undefined
    const full = new Promise<void>((resolve) => (everyRefusal = resolve))
    const login = async () => {
      const reply = await service.client.call('POST', LOGIN, { json: { email, password: PASSWORD } })
      if (reply.status !== 503) return reply
      refused.push(reply)
      if (refused.length === 100 - POOL - QUEUE) everyRefusal()
      return reply
    }
    const logins = Array.from({ length: 100 }, login)
    await full
    expect(running).to.equal(POOL)
    expect((await service.client.call('GET', '/health/live')).status).to.equal(200)
    expect((await watcher.getIdentity()).status).to.equal(200)
    expect((await watcher.refresh()).status).to.equal(200)
    gate.release()
    const replies = await Promise.all(logins)
    expect(replies.filter(({ status }) => status === 200)).to.have.length(POOL + QUEUE)
    expect(refused).to.have.length(100 - POOL - QUEUE)
    for (const reply of refused) {
      expect(reply.json).to.deep.equal(loggedOut(503, TOO_MANY))
      expect(reply.headers['retry-after']).to.match(/^[1-9][0-9]*$/)
      expect(setCookies(reply)).to.deep.equal([])
    }
    expect(most).to.equal(POOL)
    expect((await login()).status).to.equal(200)
  })
})
