import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import { DEFAULT_PERMISSIONS } from '../../../src/domain/access/permissions.js'
import { expectError, expectNoCredentials, PETS } from '../../support/http/pet-calls.js'
import { servicesOfTests } from '../../support/http/services.js'

describe('an API key on the pet routes', () => {
  const serve = servicesOfTests()

  it('gets the same bytes as an unknown key after it has expired', async () => {
    const { client, clock, useCases } = await serve()
    const list = (key: string) => client.call('GET', PETS, { headers: { 'X-API-Key': key } })
    const input = { caller: OPERATOR, name: 'short', roles: [], expiresAt: clock.now + 1_000 }
    const { key } = await useCases.createApiKey(input)
    clock.now += 999
    expect((await list(key)).status).to.equal(200)
    clock.now += 1
    const [expired, unknown] = [await list(key), await list('unknown')]
    expectNoCredentials(expired)
    expect(expired.text).to.equal(unknown.text)
  })

  for (const renamed of ['X-Kennel-Key', 'ApiKeyAuth'])
    it(`is accepted in the header ${renamed} and in ApiKeyAuth, and no longer in X-API-Key`, async () => {
      const service = await serve({ settings: { petsApiKeyHeader: renamed } })
      const key = await service.apiKey()
      const list = (name: string) => service.client.call('GET', PETS, { headers: { [name]: key } })
      for (const name of [renamed, 'ApiKeyAuth']) expect((await list(name)).status).to.equal(200)
      expectNoCredentials(await list('X-API-Key'))
    })

  it('may replace Basic credentials, which then are neither read nor computed', async () => {
    let verifications = 0
    const service = await serve({
      petSecurity: 'key',
      aroundHasher: (hasher) => ({
        ...hasher,
        verify: (...given) => {
          verifications += 1
          return hasher.verify(...given)
        },
      }),
    })
    const key = await service.apiKey()
    const list = (headers: Record<string, string>) => service.client.call('GET', PETS, { headers })
    for (const name of ['Authorization', 'BasicAuth'])
      for (const value of [`Basic ${btoa('ada@example.com:wrong')}`, 'Basic ???']) {
        const reply = await list({ [name]: value })
        expectError(reply, 401, 'Valid credentials are required.')
        expect(reply.headers['www-authenticate']).to.equal('ApiKey realm="Kennel pets", header="X-API-Key"')
        expect((await list({ 'X-API-Key': key, [name]: value })).status).to.equal(200)
      }
    expect(verifications).to.equal(0)
  })

  it('needs a permission, which is checked after the body and before its fields', async () => {
    const roles = { ...DEFAULT_PERMISSIONS.roles, user: { components: {} } }
    const service = await serve({ permissions: { roles } })
    const headers = { 'X-API-Key': await service.apiKey() }
    const create = (json: object) => service.client.call('POST', PETS, { headers, json })
    expectError(await create([]), 400)
    expectError(await create({ name: 7 }), 403)
    for (const path of [`${PETS}/nothing`, `${PETS}?limit=0`, `${PETS}?ids=1`])
      expectError(await service.client.call('GET', path, { headers }), 403)
  })
})
