import { expect } from 'chai'
import { freshEmail } from '../../support/http/browser.js'
import { loggedOut } from '../../support/http/expected.js'
import { resettingsOfTests, type Resetting } from '../../support/http/resetting.js'

const LIMIT = { count: 5, window: 900_000 }
const TOO_MANY = loggedOut(429, {
  message: 'Too many attempts, try again later.',
  field: '',
  type: 'TooMany',
})

describe('LOGIN_LIMIT for resets', () => {
  const serve = resettingsOfTests()
  let resets: Resetting
  beforeEach(async () => {
    resets = await serve({ loginLimit: LIMIT, settings: { trustProxy: 1 } })
  })

  let addresses = 0
  /** Uses a fresh address by default. */
  const ask = (email: string, address = `192.0.2.${(addresses += 1)}`) =>
    resets.ask(email, { 'X-Forwarded-For': address })

  it('allows five times the limit per network, across all emails', async () => {
    const statuses = []
    for (let n = 0; n < 25; n += 1) statuses.push((await ask(freshEmail(), '198.51.100.7')).status)
    expect(new Set(statuses)).to.deep.equal(new Set([200]))
    const reply = await ask(freshEmail(), '198.51.100.7')
    expect(reply.json).to.deep.equal(TOO_MANY)
    expect(reply.headers['retry-after']).to.equal('900')
    expect((await ask(freshEmail(), '198.51.100.8')).status).to.equal(200)
  })
})
