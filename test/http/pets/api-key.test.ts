import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import { HOST } from '../../support/http/host.js'
import { startService, type TestService } from '../../support/http/service.js'
import { expectNoCredentials, PETS } from '../../support/http/pet-calls.js'

describe('an API key on the pet routes', () => {
  let service: TestService
  let key: string
  before(async () => {
    service = await startService()
    key = await service.apiKey()
  })
  after(() => service.close())

  const list = (headers: Record<string, string>) => service.client.call('GET', PETS, { headers })

  it('is rejected if one header holds it twice, on hosts that can tell this from two headers', async () => {
    const reply = await list({ 'X-API-Key': `${key}, ${key}` })
    if (HOST === 'koa') expectNoCredentials(reply)
    else expect(reply.status).to.equal(200)
  })

  it('gets the same bytes as an unknown key after it has expired', async () => {
    const input = { caller: OPERATOR, name: 'short', roles: [], expiresAt: service.clock.now + 1_000 }
    const made = await service.useCases.createApiKey(input)
    service.clock.now += 999
    expect((await list({ 'X-API-Key': made.key })).status).to.equal(200)
    service.clock.now += 1
    const [expired, unknown] = [await list({ 'X-API-Key': made.key }), await list({ 'X-API-Key': 'unknown' })]
    expectNoCredentials(expired)
    expect(expired.text).to.equal(unknown.text)
    expect((await list({ 'X-API-Key': key })).status).to.equal(200)
  })
})

for (const renamed of ['X-Kennel-Key', 'ApiKeyAuth']) {
  describe(`an API key with the header ${renamed}`, () => {
    let service: TestService
    let key: string
    before(async () => {
      service = await startService({ settings: { petsApiKeyHeader: renamed } })
      key = await service.apiKey()
    })
    after(() => service.close())

    const list = (headers: Record<string, string>) => service.client.call('GET', PETS, { headers })

    it('is accepted from there and from ApiKeyAuth', async () => {
      expect((await list({ [renamed]: key })).status).to.equal(200)
      expect((await list({ ApiKeyAuth: key })).status).to.equal(200)
    })

    it('is no longer accepted from X-API-Key', async () => {
      expectNoCredentials(await list({ 'X-API-Key': key }))
    })
  })
}
