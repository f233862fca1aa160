import { expect } from 'chai'
import type { Reply } from '../../support/http/client.js'
import { startService, type TestService } from '../../support/http/service.js'
import { basic, encoded, expectNoCredentials, PETS } from '../../support/http/pet-calls.js'

const ADA = 'ada@example.com'
type Headers = Record<string, string>

function expectListed(reply: Reply): void {
  expect(reply.status, reply.text).to.equal(200)
}

for (const petSecurity of ['any', 'all'] as const) {
  describe(`two schemes with PETS_SECURITY=${petSecurity}`, () => {
    let service: TestService
    let key: string
    before(async () => {
      service = await startService({ petSecurity })
      await service.account(ADA)
      key = await service.apiKey()
    })
    after(() => service.close())

    const list = (headers: Headers) => service.client.call('GET', PETS, { headers })
    const expectOne = petSecurity === 'any' ? expectListed : expectNoCredentials

    it('are accepted together, in every pair of headers', async () => {
      for (const keyed of [{ 'X-API-Key': key }, { ApiKeyAuth: key }]) {
        for (const person of [{ Authorization: basic(ADA) }, { BasicAuth: encoded(ADA) }]) {
          expectListed(await list({ ...keyed, ...(person as Headers) }))
        }
      }
    })

    it(`${petSecurity === 'any' ? 'are accepted' : 'are rejected'} alone`, async () => {
      expectOne(await list({ 'X-API-Key': key }))
      expectOne(await list({ ApiKeyAuth: key }))
      expectOne(await list({ Authorization: basic(ADA) }))
      expectOne(await list({ BasicAuth: basic(ADA) }))
    })

    it('are rejected together if either is wrong', async () => {
      expectNoCredentials(await list({ 'X-API-Key': 'wrong', Authorization: basic(ADA) }))
      expectNoCredentials(await list({ 'X-API-Key': key, Authorization: basic(ADA, 'wrong password') }))
      expectNoCredentials(await list({ 'X-API-Key': key, Authorization: 'Basic' }))
      expectNoCredentials(await list({ 'X-API-Key': key, Authorization: 'Basic\tx' }))
      expectNoCredentials(await list({ ApiKeyAuth: key, BasicAuth: 'x' }))
    })

    it('ignore headers without a value', async () => {
      expectOne(await list({ 'X-API-Key': '', Authorization: basic(ADA) }))
      expectOne(await list({ ApiKeyAuth: key, BasicAuth: '' }))
      expectListed(await list({ 'X-API-Key': key, ApiKeyAuth: '', Authorization: '', BasicAuth: basic(ADA) }))
    })
  })
}
