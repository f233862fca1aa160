import { expect } from 'chai'
import {
  expectError,
  expectNoCredentials,
  PETS,
  basic,
  createPetClient,
} from '../../support/http/pet-calls.js'
import { servicesOfTests } from '../../support/http/service.js'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import { gzipSync } from 'node:zlib'

describe('an API key on the pet routes', () => {
  const serve = servicesOfTests()

  it('is accepted in the configured header and in ApiKeyAuth, but not in X-API-Key', async () => {
    const renamed = 'X-Kennel-Key'
    const service = await serve({ settings: { petsApiKeyHeader: renamed } })
    const key = await service.apiKey()
    const list = (name: string) => service.client.call('GET', PETS, { headers: { [name]: key } })
    for (const name of [renamed, 'ApiKeyAuth']) expect((await list(name)).status).to.equal(200)
    expectNoCredentials(await list('X-API-Key'))
  })

  it('takes precedence over Basic credentials, which are then ignored and not hashed', async () => {
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
    const Authorization = `Basic ${btoa('ada@example.com:wrong')}`
    const reply = await list({ Authorization })
    expectError(reply, 401, 'Valid credentials are required.')
    expect(reply.headers['www-authenticate']).to.equal('ApiKey realm="Kennel pets", header="X-API-Key"')
    expect((await list({ 'X-API-Key': key, Authorization })).status).to.equal(200)
    expect(verifications).to.equal(0)
  })
})

describe('HTTP Basic on the pet routes', () => {
  const serve = servicesOfTests()

  it('accepts a password with colons, and a non-ASCII password only in UTF-8', async () => {
    const service = await serve()
    const list = (Authorization: string) => service.client.call('GET', PETS, { headers: { Authorization } })
    const [email, wide] = ['ada@example.com', 'pässwörd-日本-🐕']
    await service.useCases.createUser({ caller: OPERATOR, email: 'bob@example.com', password: ':a:b:c:d:e:' })
    expect((await list(basic('bob@example.com', ':a:b:c:d:e:'))).status).to.equal(200)
    await service.useCases.createUser({ caller: OPERATOR, email, password: wide })
    expect((await list(basic(email, wide))).status).to.equal(200)
    const latin1 = Buffer.from(`${email}:${wide}`, 'latin1').toString('base64')
    expectNoCredentials(await list(`Basic ${latin1}`))
  })
})

describe('the body of a pet request', () => {
  const serve = servicesOfTests()

  it('is rejected without exhausting memory if it decompresses to 50 MB', async () => {
    const pets = await createPetClient(await serve())
    const body = gzipSync(Buffer.alloc(50 * 1024 * 1024, 0x20))
    expect(body.length).to.be.lessThan(64 * 1024)
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }
    const before = process.memoryUsage().rss
    expectError(await pets.call('POST', PETS, { body, headers }), 413, 'The body is too large.')
    expect(process.memoryUsage().rss - before).to.be.lessThan(40 * 1024 * 1024)
  })
})
