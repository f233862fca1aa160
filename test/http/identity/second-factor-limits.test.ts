import { expect } from 'chai'
import { LOGIN } from '../../support/http/browser.js'
import { loggedOut } from '../../support/http/expected.js'
import { guarded, logInWith } from '../../support/http/factor.js'
import { startService, START, type TestService } from '../../support/http/service.js'

const QUARTER = 15 * 60_000
const TOO_MANY = loggedOut(429, {
  message: 'Too many attempts, try again later.',
  field: '',
  type: 'TooMany',
})
const from = (address: string) => ({ 'X-Forwarded-For': address })
/** A code of no account: a random test secret practically never yields it. */
const wrong = (number: number) => `WRONG234WRONG${String(number % 6).replace(/[01]/g, '7')}AA`

describe('codes without a login limit', () => {
  let service: TestService
  before(async () => {
    service = await startService({ settings: { trustProxy: 1 } })
  })
  beforeEach(() => {
    service.clock.now = START
  })
  after(() => service.close())

  it('are limited: after five wrong codes even a right code is 429', async () => {
    const account = await guarded(service)
    const statuses: number[] = []
    for (let guess = 0; guess < 7; guess += 1)
      statuses.push((await logInWith(service, account, wrong(guess), from('192.0.2.1'))).status)
    expect(statuses.slice(0, 5)).to.deep.equal([401, 401, 401, 401, 401])
    expect(new Set(statuses.slice(5))).to.deep.equal(new Set([429]))
    const reply = await logInWith(service, account, account.code(1), from('192.0.2.1'))
    expect([reply.status, reply.json]).to.deep.equal([429, TOO_MANY])
    expect(reply.headers['retry-after']).to.equal('900')
  })
})

describe('codes with a login limit', () => {
  let service: TestService
  before(async () => {
    service = await startService({ loginLimit: { count: 3, window: QUARTER } })
  })
  after(() => service.close())

  it('are not checked if the password is wrong', async () => {
    const account = await guarded(service)
    for (let guess = 0; guess < 3; guess += 1) {
      const json = { email: account.email, password: 'wrong', code: account.code(1) }
      expect((await service.client.call('POST', LOGIN, { json })).status).to.equal(401)
    }
    const reply = await logInWith(service, account, account.code(1))
    expect([reply.status, reply.json]).to.deep.equal([429, TOO_MANY])
  })
})
