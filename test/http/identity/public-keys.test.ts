import { expect } from 'chai'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { PASSPHRASE } from '../../support/http/service.js'
import { newcomer } from '../../support/http/browser.js'
import { servicesOfTests } from '../../support/http/services.js'

const ADDRESS = '/.well-known/jwks.json'
const NEXT = 'Next-for-tests: 5 kennels & 13 hounds'

describe('/.well-known/jwks.json', () => {
  const serve = servicesOfTests()

  it('is 404 where the keys are secret, in the shape of every unknown path', async () => {
    const service = await serve({ tokenUse: 'HS512' })
    const reply = await service.client.call('GET', ADDRESS)
    expect(reply.status).to.equal(404)
    expect(reply.json).to.deep.equal({ code: 404, message: 'There is nothing at this path.' })
  })

  it('has every key that verifies, the one that signs first, and no private part', async () => {
    const passphrases = { current: NEXT, previous: [PASSPHRASE] }
    const services = [
      await serve({ tokenUse: 'EdDSA' }),
      await serve({ tokenUse: 'EdDSA', passphrases: { current: NEXT, previous: [] } }),
      await serve({ tokenUse: 'EdDSA', passphrases }),
    ]
    const sets = await Promise.all(services.map((one) => one.client.call('GET', ADDRESS)))
    const [old, next, both] = sets.map((reply) => (reply.json as { keys: Record<string, string>[] }).keys)
    expect(both).to.deep.equal([next?.[0], old?.[0]])
    expect(old).to.have.length(1)
    expect(old?.[0]).to.have.all.keys('kty', 'crv', 'x', 'kid', 'use', 'alg')
    expect(old?.[0]).to.include({ kty: 'OKP', crv: 'Ed25519', use: 'sig', alg: 'EdDSA' })
  })

  it('may be kept for five minutes, and read by pages of any origin', async () => {
    const service = await serve({ tokenUse: 'EdDSA' })
    const { headers } = await service.client.call('GET', ADDRESS)
    expect(headers).to.include({
      'cache-control': 'public, max-age=300',
      'access-control-allow-origin': '*',
      'content-type': 'application/json; charset=utf-8',
    })
  })

  it('is for PASETO without an algorithm of JWT', async () => {
    const service = await serve({ tokenUse: 'v4.public' })
    const { keys } = (await service.client.call('GET', ADDRESS)).json as { keys: object[] }
    expect(keys[0]).to.have.all.keys('kty', 'crv', 'x', 'kid', 'use')
  })

  it('is all that plain jose needs to verify an access token', async () => {
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
