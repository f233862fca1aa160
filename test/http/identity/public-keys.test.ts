import { expect } from 'chai'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { newcomer } from '../../support/http/browser.js'
import { servicesOfTests } from '../../support/http/services.js'

const ADDRESS = '/.well-known/jwks.json'

describe('/.well-known/jwks.json', () => {
  const serve = servicesOfTests()

  it('is sufficient to verify an access token with the `jose` library', async () => {
    const service = await serve({ tokenUse: 'EdDSA' })
    const browser = await newcomer(service)
    const keys = createRemoteJWKSet(new URL(ADDRESS, service.origin))
    const { payload } = await jwtVerify(browser.held().accessToken ?? '', keys, {
      algorithms: ['EdDSA'],
      typ: 'at+jwt',
      issuer: service.origin,
      audience: `${service.origin}/access`,
      currentDate: new Date(service.clock.now),
    })
    expect(payload.sub).to.equal(String(browser.id))
  })
})
