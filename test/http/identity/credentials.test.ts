import { expect } from 'chai'
import {
  CREATE_PROJECT,
  envelopeOf,
  GET_IDENTITY,
  identityWith,
  newcomer,
  PROJECT,
} from '../../support/http/browser.js'
import { expectInvalidToken } from '../../support/http/expected.js'
import { itWithSessions } from '../../support/http/modes.js'
import { servicesOfTests } from '../../support/http/services.js'

describe('IDENTITY_AUTHORIZATION_HEADER=Authorization', () => {
  const serve = servicesOfTests()

  itWithSessions('accepts the token in the Authorization header, but not in X-Authorization', async () => {
    const service = await serve({ settings: { authorizationHeader: 'Authorization' } })
    const browser = await newcomer(service, ['admin'], { header: 'Authorization' })
    expect((await browser.getIdentity()).status).to.equal(200)
    expect((await browser.send('POST', CREATE_PROJECT, { json: PROJECT })).status).to.equal(201)
    expectInvalidToken(await identityWith(service, browser.held()))
    const basic = await browser.send('GET', GET_IDENTITY, { headers: { Authorization: 'Basic YTpi' } })
    expectInvalidToken(basic)
    const harmless = await browser.send('GET', GET_IDENTITY, { headers: { 'X-Authorization': 'rubbish' } })
    expect(envelopeOf(harmless).view.loggedIn).to.equal(true)
    expect((await browser.logout()).status).to.equal(200)
  })
})
