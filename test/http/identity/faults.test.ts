import { expect } from 'chai'
import type { Reply } from '../../support/http/client.js'
import { PASSWORD, servicesOfTests, itWithSessions } from '../../support/http/service.js'
import {
  GET_IDENTITY,
  LOGIN,
  LOGOUT,
  newcomer,
  REFRESH,
  setCookies,
  type Browser,
  unavailable,
} from '../../support/http/browser.js'
import { PETS } from '../../support/http/pet-calls.js'
import { refusedAt } from '../../support/http/protected-routes.js'
import { collectingLog } from '../../support/log-collector.js'
import { unavailable as refusal } from '../../../src/domain/refusal.js'
import { breakable } from '../../support/watched-store.js'

const INTERNAL = { message: 'Internal error.', field: '', type: 'Unavailable' }

/** One request to a route of each kind, with valid credentials. */
function requests(browser: Browser, apiKey: string): Readonly<Record<string, () => Promise<Reply>>> {
  const { refreshToken } = browser.held()
  return {
    [GET_IDENTITY]: () => browser.send('GET', GET_IDENTITY),
    [LOGIN]: () => browser.send('POST', LOGIN, { json: { email: browser.email, password: PASSWORD } }),
    [REFRESH]: () => browser.send('POST', REFRESH, { json: { refreshToken } }),
    [LOGOUT]: () => browser.send('POST', LOGOUT, { json: {} }),
    [PETS]: () => browser.send('GET', PETS, { headers: { 'X-API-Key': apiKey } }),
  }
}

describe('a store call that fails', () => {
  const serve = servicesOfTests()
  const hostile = { status: 200, expose: true, headers: { 'Set-Cookie': 'sid=evil' } }
  const CAUSES = {
    'a store that is away': {
      ...{ error: refusal('secret: no route'), status: 503, message: unavailable, level: 'warn' },
    },
    'an error with a status and headers': {
      ...{ error: Object.assign(new TypeError('secret: SELECT * FROM sessions'), hostile) },
      ...{ status: 500, message: INTERNAL, level: 'error' },
    },
  }

  for (const [what, { error, status, message, level }] of Object.entries(CAUSES))
    itWithSessions(
      `causes a ${status} response without details, and no lasting damage: ${what}`,
      async () => {
        const collected = collectingLog()
        const store = breakable(async () => {
          throw error
        })
        const service = await serve({ aroundStore: store.aroundStore, log: collected.log })
        const browser = await newcomer(service, ['admin'])
        const key = await service.apiKey()
        store.broken = true
        for (const [path, call] of Object.entries(requests(browser, key))) {
          const reply = await call()
          const requestId = reply.headers['x-request-id']
          expect(reply.status, path).to.equal(status)
          expect(reply.json).to.deep.equal(refusedAt(path, status, message))
          expect(reply.text + reply.rawHeaders.join()).to.not.match(/secret|evil|SELECT/)
          expect(setCookies(reply)).to.deep.equal([])
          if (status === 503) expect(reply.headers['retry-after']).to.match(/^[1-9][0-9]*$/)
          const line = collected.lines.at(-1)
          expect(line?.level).to.equal(level)
          expect(line?.fields).to.include({ requestId, status })
        }
        store.broken = false
        expect((await browser.refresh()).status).to.equal(200)
      },
    )
})
