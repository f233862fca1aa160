import { expect } from 'chai'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { newcomer } from '../../support/http/browser.js'
import { servicesOfTests } from '../../support/http/services.js'

const ADDRESS = '/.well-known/jwks.json'

describe('/.well-known/jwks.json', () => {
  const serve = servicesOfTests()

  it('is 404 if the keys are symmetric, in the shape of every unknown path', async () => {
    const service = await serve({ tokenUse: 'HS512' })
    const reply = await service.client.call('GET', ADDRESS)
    expect(reply.status).to.equal(404)
    expect(reply.json).to.deep.equal({ code: 404, message: 'There is nothing at this path.' })
  })

  it('may be cached for five minutes and read by pages of any origin', async () => {
    const service = await serve({ tokenUse: 'EdDSA' })
    const { headers } = await service.client.call('GET', ADDRESS)
    expect(headers).to.include({
      'cache-control': 'public, max-age=300',
      'access-control-allow-origin': '*',
      'content-type': 'application/json; charset=utf-8',
    })
  })

  it('is enough for plain jose to verify an access token', async () => {
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

  it('answers other methods with 405', async () => {
    const service = await serve({ tokenUse: 'EdDSA' })
    const reply = await service.client.call('POST', ADDRESS)
    expect([reply.status, reply.headers.allow]).to.deep.equal([405, 'HEAD, GET'])
  })
})
