import { expect } from 'chai'
import type { JsonObject } from '../../../src/domain/identity/json-object.js'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import { newcomer } from '../../support/http/browser.js'
import type { Call, Reply } from '../../support/http/client.js'
import { viewOf } from '../../support/http/factor.js'
import { proofCookieOf } from '../../support/http/resetting.js'
import { type TestService, servicesOfTests } from '../../support/http/service.js'
import { createAuthenticator, RP_ID } from '../../support/passkey-authenticator.js'

const LOGIN = '/api/auth/login/passkey'
const PASSKEYS = '/api/auth/passkeys'
const RELATED = '/.well-known/webauthn'
const optionsOf = (reply: Reply) => viewOf(reply)['options'] as JsonObject

describe('passkeys over HTTP', () => {
  const serve = servicesOfTests()

  async function holder(service: TestService) {
    const browser = await newcomer(service)
    const authenticator = createAuthenticator()
    const credential = authenticator.create(optionsOf(await browser.send('POST', `${PASSKEYS}/begin`)))
    expect((await browser.send('POST', PASSKEYS, { json: { credential } })).status).to.equal(200)
    return { browser, authenticator }
  }

  it('bind all challenges of a browser to one cookie, and reject responses without the cookie', async () => {
    const { client, ...service } = await serve({ passkeys: true, mode: 'stateful' })
    const { authenticator } = await holder({ client, ...service })
    const begin = (call: Call = {}) => client.call('POST', `${LOGIN}/begin`, call)
    const first = await begin()
    const cookie = proofCookieOf(first)
    const second = await begin(cookie)
    expect(proofCookieOf(second)).to.deep.equal(cookie)
    const other = proofCookieOf(await begin())
    const send = (reply: Reply, { headers = {} }: Call) =>
      client.call('POST', LOGIN, { headers, json: { credential: authenticator.get(optionsOf(reply)) } })
    const both = {
      headers: { Cookie: `${String(cookie.headers?.['Cookie'])}; ${String(other.headers?.['Cookie'])}` },
    }
    for (const call of [{}, other, both]) expect((await send(first, call)).status).to.equal(401)
    for (const reply of [second, first]) expect((await send(reply, cookie)).status).to.equal(200)
  })

  it('get the same reply, byte for byte, for an unknown passkey and a disabled account', async () => {
    const service = await serve({ passkeys: true, mode: 'stateful' })
    const { authenticator, browser } = await holder(service)
    const stranger = createAuthenticator()
    stranger.create(optionsOf(await browser.send('POST', `${PASSKEYS}/begin`)))
    await service.useCases.disableUser({ caller: OPERATOR, email: browser.email })
    const texts = []
    for (const one of [authenticator, stranger]) {
      const begun = await service.client.call('POST', `${LOGIN}/begin`)
      const json = { credential: one.get(optionsOf(begun)) }
      const { status, text } = await service.client.call('POST', LOGIN, { ...proofCookieOf(begun), json })
      texts.push([status, text])
    }
    expect(texts[0]).to.deep.equal(texts[1])
    expect(texts[0]?.[0]).to.equal(401)
  })

  it('list the related origins for browsers if any are configured', async () => {
    const relatedOrigins = ['https://kennel.test']
    const passkeyDomain = { rpId: RP_ID, relatedOrigins }
    const { client } = await serve({ passkeys: true, settings: { passkeyDomain } })
    expect((await client.call('GET', RELATED)).json).to.deep.equal({ origins: relatedOrigins })
    const alone = await serve({ passkeys: true })
    expect((await alone.client.call('GET', RELATED)).status).to.equal(404)
  })
})
