import { expect } from 'chai'
import { LOGIN, newcomer } from '../../support/http/browser.js'
import { loggedOut } from '../../support/http/expected.js'
import { CONFIRM, guarded, logInWith, REMOVE, setUp, STEP } from '../../support/http/factor.js'
import { PASSWORD, startService, START, type TestService } from '../../support/http/service.js'
import { STORES, type OpenedStore } from '../../support/stores.js'

const QUARTER = 15 * 60_000
const TOO_MANY = loggedOut(429, {
  message: 'Too many attempts, try again later.',
  field: '',
  type: 'TooMany',
})
const from = (address: string) => ({ 'X-Forwarded-For': address })
/** Of no account: no secret of a test is as likely to have it as to be struck by lightning. */
const wrong = (number: number) => `WRONG234WRONG${String(number % 6).replace(/[01]/g, '7')}AA`

for (const { name, open } of STORES) {
  describe(`codes on the ${name} store, where logins are not limited`, () => {
    let opened: OpenedStore
    let service: TestService
    before(async () => {
      opened = await open()
      service = await startService({ store: opened.store, settings: { trustProxy: 1 } })
    })
    beforeEach(() => {
      service.clock.now = START
    })
    after(async () => {
      await service.close()
      await opened.remove()
    })

    it('are limited: of 100 wrong ones five are looked at, and a right one is 429 like the others', async () => {
      const account = await guarded(service)
      const statuses: number[] = []
      for (let guess = 0; guess < 100; guess += 1)
        statuses.push((await logInWith(service, account, wrong(guess), from('192.0.2.1'))).status)
      expect(statuses.slice(0, 5)).to.deep.equal([401, 401, 401, 401, 401])
      expect(new Set(statuses.slice(5))).to.deep.equal(new Set([429]))
      const reply = await logInWith(service, account, account.code(1), from('192.0.2.1'))
      expect([reply.status, reply.json]).to.deep.equal([429, TOO_MANY])
      expect(reply.headers['retry-after']).to.equal('900')
    })

    it('let five of 100 wrong ones at once be looked at', async () => {
      const account = await guarded(service)
      const guesses = Array.from({ length: 100 }, (_, guess) => logInWith(service, account, wrong(guess)))
      const statuses = (await Promise.all(guesses)).map(({ status }) => status)
      expect(statuses.filter((status) => status === 401)).to.have.length(5)
      // The pool of hashes takes no more at once than it can.
      expect(statuses.every((status) => [401, 429, 503].includes(status))).to.equal(true)
    })

    it('are good again from elsewhere, and here after a quarter of an hour', async () => {
      const account = await guarded(service)
      for (let guess = 0; guess < 6; guess += 1)
        await logInWith(service, account, wrong(guess), from('192.0.2.1'))
      service.clock.now += 2 * STEP
      expect((await logInWith(service, account, account.code(), from('198.51.100.7'))).status).to.equal(200)
      service.clock.now += QUARTER
      expect((await logInWith(service, account, account.code(), from('192.0.2.1'))).status).to.equal(200)
    })

    it('are limited to twenty wrong ones from anywhere', async () => {
      const account = await guarded(service)
      const statuses: number[] = []
      for (let guess = 0; guess < 24; guess += 1)
        statuses.push((await logInWith(service, account, wrong(guess), from(`192.0.2.${guess}`))).status)
      expect(statuses.indexOf(429)).to.equal(20)
    })

    it('are counted together, wherever they are asked for', async () => {
      const account = await guarded(service)
      for (let guess = 0; guess < 3; guess += 1) await logInWith(service, account, wrong(guess))
      const remove = (code: string) => account.send('POST', REMOVE, { json: { password: PASSWORD, code } })
      expect([(await remove(wrong(3))).status, (await remove(wrong(4))).status]).to.deep.equal([400, 400])
      const reply = await remove(account.code(1))
      expect([reply.status, reply.json]).to.deep.equal([429, TOO_MANY])
    })

    it('are limited where a factor is confirmed as well', async () => {
      const browser = await newcomer(service)
      await setUp(browser)
      const statuses: number[] = []
      for (let guess = 0; guess < 7; guess += 1)
        statuses.push((await browser.send('POST', CONFIRM, { json: { code: wrong(guess) } })).status)
      expect(statuses).to.deep.equal([400, 400, 400, 400, 400, 429, 429])
    })

    it('cost a right one nothing', async () => {
      const account = await guarded(service)
      for (let login = 1; login <= 12; login += 1) {
        service.clock.now += STEP
        expect((await logInWith(service, account, account.code())).status, String(login)).to.equal(200)
      }
    })
  })
}

describe('codes where logins are limited too', () => {
  let service: TestService
  before(async () => {
    service = await startService({ loginLimit: { count: 3, window: QUARTER } })
  })
  after(() => service.close())

  it('are counted apart: a right password without a code, or with a wrong one, is no wrong password', async () => {
    const account = await guarded(service)
    for (let time = 0; time < 10; time += 1)
      expect((await logInWith(service, account, undefined)).status).to.equal(401)
    for (let guess = 0; guess < 4; guess += 1)
      expect((await logInWith(service, account, wrong(guess))).status).to.equal(401)
    expect((await logInWith(service, account, account.code(1))).status).to.equal(200)
  })

  it('are not looked at where the password is wrong', async () => {
    const account = await guarded(service)
    for (let guess = 0; guess < 3; guess += 1) {
      const json = { email: account.email, password: 'wrong', code: account.code(1) }
      expect((await service.client.call('POST', LOGIN, { json })).status).to.equal(401)
    }
    const reply = await logInWith(service, account, account.code(1))
    expect([reply.status, reply.json]).to.deep.equal([429, TOO_MANY])
  })

  it('let a wrong password of a set-up or a removal count like a login', async () => {
    const browser = await newcomer(service)
    const statuses: number[] = []
    for (let guess = 0; guess < 5; guess += 1) statuses.push((await setUp(browser, `wrong ${guess}`)).status)
    expect(statuses).to.deep.equal([400, 400, 400, 429, 429])
  })
})
