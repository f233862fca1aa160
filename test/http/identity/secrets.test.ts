import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { Reply } from '../../support/http/client.js'
import type { TestService } from '../../support/http/service.js'
import { itWithSessions } from '../../support/http/modes.js'
import { LOGIN_AS, LOGOUT_AS } from '../../support/http/acting.js'
import {
  CREATE_PROJECT,
  createBrowser,
  credentials,
  freshEmail,
  GET_IDENTITY,
  LOGIN,
  LOGOUT,
  REFRESH,
  setCookies,
  type Browser,
} from '../../support/http/browser.js'
import { collectingLog } from '../../support/log-collector.js'
import { RESET_PASSWORD, RESETS_PERMITTED } from '../../support/http/resetting.js'
import { servicesOfTests } from '../../support/http/services.js'
import { breakable } from '../../support/watched-store.js'

/** Every invented secret carries this mark, so that one search finds them all. */
const MARK = 'cAnArY'
const PASSPHRASE = `${MARK}: A passphrase of 2 kennels & 7 hounds`
const PASSWORD = `${MARK} password`

/** All failures of the identity routes, with marked secrets in every possible place. */
async function everyMistake(service: TestService, browser: Browser): Promise<Reply[]> {
  const { client } = service
  const marked = credentials({ cookie: `sid=${MARK}`, accessToken: MARK })
  const consuming = { resetToken: MARK, password: `${MARK} another` }
  const text = { 'Content-Type': 'application/json' }
  const basic = { Authorization: `Basic ${Buffer.from(`a:${MARK}`).toString('base64')}`, 'X-API-Key': MARK }
  const replies = [
    await createBrowser(service, browser.email).login(`${MARK} wrong`),
    await createBrowser(service, MARK).login(PASSWORD),
    await client.call('POST', LOGIN, { json: { email: browser.email, password: [MARK] } }),
    await client.call('POST', LOGIN, { headers: text, body: `{"password":"${MARK}"` }),
    await client.call('POST', LOGIN, { headers: text, body: `"${MARK}"` }),
    await client.call('POST', LOGIN, { headers: { 'Content-Type': MARK }, body: MARK }),
    await client.call('POST', LOGIN, { headers: text, body: MARK.repeat(5000) }),
    // A refused origin is named in the error, so it carries no mark.
    await client.call('POST', LOGIN, { headers: { Origin: 'https://elsewhere.example' }, json: {} }),
    await client.call('POST', REFRESH, { json: { refreshToken: MARK } }),
    await client.call('POST', REFRESH, { json: { refreshToken: { [MARK]: MARK } } }),
    await client.call('POST', REFRESH, { headers: marked, json: { refreshToken: MARK } }),
    await client.call('GET', GET_IDENTITY, { headers: marked }),
    await client.call('GET', `${GET_IDENTITY}?jwt=${MARK}`, { headers: basic }),
    await client.call('GET', `/api/auth/${MARK}?jwt=${MARK}`),
    await client.call('PUT', `${LOGIN}?password=${MARK}`),
    await client.call('GET', GET_IDENTITY, { headers: { 'X-Request-Id': `${MARK} ${MARK}` } }),
    await client.call('POST', LOGOUT, { headers: marked }),
    await client.call('POST', LOGOUT, { headers: { Cookie: `sid=${MARK}; sid=${MARK}` } }),
    await browser.send('POST', CREATE_PROJECT, { json: { label: [MARK], status: '', budget: MARK } }),
    await browser.send('POST', CREATE_PROJECT, { headers: { Accept: MARK }, json: {} }),
    await client.call('GET', GET_IDENTITY, { headers: { 'X-Authorization': MARK.repeat(4000) } }),
    await client.call('POST', RESET_PASSWORD, { json: { email: MARK } }),
    await client.call('POST', `${RESET_PASSWORD}?resetToken=${MARK}`, {
      json: { ...consuming, email: MARK },
    }),
    await client.call('POST', RESET_PASSWORD, { json: { ...consuming, email: browser.email } }),
    await client.call('POST', RESET_PASSWORD, { json: { ...consuming, resetToken: [MARK] } }),
    await browser.send('POST', LOGIN_AS, { json: { userId: MARK } }),
    await browser.send('POST', LOGIN_AS, { json: { userId: 1, [MARK]: MARK } }),
    await browser.send('POST', LOGOUT_AS, { json: { [MARK]: MARK } }),
  ]
  for (const { status } of replies) expect(status).to.be.within(400, 499)
  return replies
}

describe('secrets', () => {
  const serve = servicesOfTests()

  itWithSessions(
    'are in no log, audit record or failure, and only in the headers that hand them out',
    async () => {
      const collected = collectingLog()
      const store = breakable()
      const options = { aroundStore: store.aroundStore, log: collected.log }
      const passphrases = { current: PASSPHRASE, previous: [`${PASSPHRASE} previous`] }
      const service = await serve({ ...options, passphrases, permissions: RESETS_PERMITTED })
      const email = freshEmail()
      await service.useCases.createUser({ caller: OPERATOR, email, password: PASSWORD })
      const browser = createBrowser(service, email)
      const issuing = [await browser.login(PASSWORD)]
      const first = browser.held()
      issuing.push(await browser.refresh())
      const second = browser.held()
      const silent = [await browser.getIdentity(), ...(await everyMistake(service, browser))]
      store.broken = true
      silent.push(await browser.getIdentity(), await browser.login(PASSWORD), await browser.refresh())
      store.broken = false
      silent.push(await browser.logout())
      const audited = await service.store.audit.page({ limit: 1_000 })
      await service.store.close()
      silent.push(await browser.login(PASSWORD))

      const issued = [first, second].flatMap(({ cookie = '', accessToken = '', refreshToken = '' }) => [
        cookie.slice('sid='.length),
        accessToken,
        refreshToken,
      ])
      const log = collected.text()
      const records = JSON.stringify(audited)
      expect(audited.map(({ event }) => event)).to.include.members(['login', 'reset.done', 'logout'])
      expect(log).to.include('the store broke')
      for (const secret of [MARK, ...issued]) {
        expect(secret).to.have.length.greaterThan(5)
        expect(log.includes(secret), 'in the log').to.equal(false)
        expect(records.includes(secret), 'in the audit log').to.equal(false)
        for (const { status, text, rawHeaders } of silent) {
          expect((text + rawHeaders.join()).includes(secret), `in a ${String(status)}`).to.equal(false)
        }
      }
      for (const reply of issuing) {
        expect(reply.status).to.equal(200)
        expect(reply.text).to.not.include(MARK)
        const headers = reply.rawHeaders.filter((value) => !setCookies(reply).includes(value)).join()
        for (const secret of issued) expect(headers.includes(secret)).to.equal(false)
        for (const key of [issued[0], issued[3]]) expect(reply.text).to.not.include(key)
      }
    },
  )
})
