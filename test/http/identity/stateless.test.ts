import { expect } from 'chai'
import type { RoleKey } from '../../../src/domain/access/role.js'
import type { Email } from '../../../src/domain/identity/email.js'
import {
  createBrowser,
  credentials,
  envelopeOf,
  freshEmail,
  GET_IDENTITY,
  identityWith,
  LOGOUT,
  newcomer,
  payloadOf,
  refreshWith,
  setCookies,
} from '../../support/http/browser.js'
import { expectInvalidToken, loggedIn } from '../../support/http/expected.js'
import { collectingLog } from '../../support/log-collector.js'
import { servicesOfTests } from '../../support/http/services.js'
import { watching } from '../../support/watched-store.js'

const FOREIGN_COOKIES = { Cookie: 'sid=one; sid=two' }

describe('stateless mode', () => {
  const serve = servicesOfTests()

  it('stores nothing, sets no cookie and ignores cookies, because both tokens contain the login', async () => {
    const calls: string[] = []
    const aroundStore = watching((name, run) => {
      calls.push(name)
      return run()
    })
    const service = await serve({ mode: 'stateless', aroundStore, auditSinks: () => [] })
    const email = freshEmail()
    const id = await service.account(email, ['editor'])
    calls.length = 0
    const browser = createBrowser(service, email)
    const login = await browser.login()
    expect([login.status, setCookies(login), calls]).to.deep.equal([200, [], ['accounts.findByEmail']])
    const { accessToken, refreshToken } = browser.held()
    const { roleList } = envelopeOf(login).view
    const [access, refresh] = [payloadOf(accessToken), payloadOf(refreshToken)]
    const iat = Math.floor(service.clock.now / 1000)
    const carried = { email, roles: [roleList['editor']], epoch: 1, session_exp: iat + 2_592_000 }
    expect(access).to.deep.include({ ...carried, sub: String(id), exp: iat + 900 })
    expect(refresh).to.deep.include({ ...carried, sid: access['sid'], exp: iat + 604_800 })

    calls.length = 0
    const headers = { ...credentials({ accessToken }), ...FOREIGN_COOKIES }
    const identity = await service.client.call('GET', GET_IDENTITY, { headers })
    expect([identity.json, calls]).to.deep.equal([loggedIn({ id, email }, roleList), []])
    expectInvalidToken(await service.client.call('GET', GET_IDENTITY, { headers: FOREIGN_COOKIES }))
    const others = [
      await refreshWith(service, { refreshToken }, FOREIGN_COOKIES),
      await service.client.call('POST', LOGOUT, { headers, json: {} }),
    ]
    expect(others.map((reply) => [reply.status, setCookies(reply)])).to.deep.equal([
      [200, []],
      [200, []],
    ])
  })

  for (const mode of ['stateless', 'stateless-revocable'] as const)
    it(`rejects login and refresh with 403 while the roles do not fit into a token, without ending the login: ${mode}`, async () => {
      const { log, lines } = collectingLog()
      const service = await serve({ mode, log })
      const { id, ...browser } = await newcomer(service)
      const { roles } = service.store
      const keys = Array.from({ length: 60 }, (_, index) => `role-${index}-`.padEnd(100, 'x') as RoleKey)
      for (const key of keys) {
        await roles.insert({ uuid: key, key, label: 'Label' })
        await roles.assign(browser.email as Email, key)
      }
      const { held } = browser
      const before = held()
      service.clock.now += 1000
      for (const send of [browser.refresh, browser.login])
        expect(envelopeOf(await send()).view.messages).to.deep.equal([
          {
            message: 'This account has too many roles: ask the operator to take some away.',
            field: '',
            type: 'Forbidden',
            code: 403,
          },
        ])
      const detail =
        'the roles of the account do not fit into a token of 8192 characters: take roles away from the account'
      const line = { level: 'warn', event: 'login refused', fields: { accountId: id, detail } }
      expect(lines.filter(({ level }) => level !== 'debug')).to.deep.equal([line, line])
      for (const key of keys) await roles.unassign(browser.email as Email, key)
      service.clock.now += 60_000
      const replies = [await identityWith(service, before), await refreshWith(service, before)]
      expect(replies.map(({ status }) => status)).to.deep.equal([200, 200])
    })
})
