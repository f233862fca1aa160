import { expect } from 'chai'
import { startService, type TestService } from '../../support/http/service.js'
import { basic, encoded, expectNoCredentials, PETS } from '../../support/http/pet-calls.js'

const ADA = 'ada@example.com'

/** Expects 200 for both schemes together, and `alone` for one scheme. */
for (const [petSecurity, alone] of [
  ['any', 200],
  ['all', 401],
] as const) {
  describe(`two schemes with PETS_SECURITY=${petSecurity}`, () => {
    let service: TestService
    let key: string
    before(async () => {
      service = await startService({ petSecurity })
      await service.account(ADA)
      key = await service.apiKey()
    })
    after(() => service.close())

    const list = (headers: Record<string, string>) => service.client.call('GET', PETS, { headers })

    it(`get ${alone} alone, also next to an empty header, and 200 together`, async () => {
      for (const one of [
        ...[{ 'X-API-Key': key }, { ApiKeyAuth: key, BasicAuth: '' }, { BasicAuth: basic(ADA) }],
        { 'X-API-Key': '', Authorization: basic(ADA) },
      ] as Record<string, string>[])
        expect((await list(one)).status).to.equal(alone)
      expect((await list({ 'X-API-Key': key, BasicAuth: encoded(ADA) })).status).to.equal(200)
      expect((await list({ ApiKeyAuth: key, Authorization: basic(ADA) })).status).to.equal(200)
    })

    it('are rejected together if either is wrong', async () => {
      expectNoCredentials(await list({ 'X-API-Key': 'wrong', Authorization: basic(ADA) }))
      expectNoCredentials(await list({ 'X-API-Key': key, Authorization: basic(ADA, 'wrong password') }))
      expectNoCredentials(await list({ 'X-API-Key': key, Authorization: 'Basic' }))
      expectNoCredentials(await list({ ApiKeyAuth: key, BasicAuth: 'x' }))
    })
  })
}
