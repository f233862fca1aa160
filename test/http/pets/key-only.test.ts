import { expect } from 'chai'
import { freshEmail } from '../../support/http/browser.js'
import { PASSWORD, startService, type TestService } from '../../support/http/service.js'
import { PETS } from '../../support/http/pet-calls.js'

const CHALLENGE = 'ApiKey realm="Kennel pets", header="X-API-Key"'

describe('PETS_SECURITY=key', () => {
  let service: TestService
  let email: string
  let verifications = 0
  before(async () => {
    service = await startService({
      petSecurity: 'key',
      loginLimit: { count: 1, window: 60_000 },
      aroundHasher: (hasher) => ({
        ...hasher,
        verify: (...given) => {
          verifications += 1
          return hasher.verify(...given)
        },
      }),
    })
    email = freshEmail()
    await service.account(email)
  })
  after(() => service.close())

  const get = (headers: Record<string, string>) => service.client.call('GET', PETS, { headers })
  const basic = (password: string) => `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`

  it('rejects right, wrong and malformed Basic credentials, and computes no hash for them', async () => {
    for (const header of ['Authorization', 'BasicAuth']) {
      for (const value of [basic(PASSWORD), basic('wrong'), 'Basic ???']) {
        const reply = await get({ [header]: value })
        expect(reply.status).to.equal(401)
        expect(reply.json).to.deep.equal({ code: 401, message: 'Valid credentials are required.' })
        expect(reply.headers['www-authenticate']).to.equal(CHALLENGE)
      }
    }
    expect(verifications).to.equal(0)
  })

  it('accepts an API key next to any Basic credentials', async () => {
    const key = await service.apiKey()
    for (const Authorization of [basic(PASSWORD), basic('wrong'), 'Basic ???'])
      expect((await get({ 'X-API-Key': key, Authorization })).status).to.equal(200)
    expect((await get({ 'X-API-Key': key })).status).to.equal(200)
    expect((await get({ 'X-API-Key': 'kennel_wrong' })).headers['www-authenticate']).to.equal(CHALLENGE)
    expect(verifications).to.equal(0)
  })
})
