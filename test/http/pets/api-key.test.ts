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

  const list = (headers: Record<string, string | readonly string[]>, path = PETS) =>
    service.client.call('GET', path, { headers })

  for (const name of ['X-API-Key', 'x-api-key', 'ApiKeyAuth', 'apikeyauth']) {
    it(`is accepted from ${name}`, async () => {
      expect((await list({ [name]: key })).status).to.equal(200)
    })
  }

  it('is required for every operation', async () => {
    for (const [method, path] of [
      ['GET', PETS],
      ['HEAD', PETS],
      ['POST', PETS],
      ['GET', `${PETS}/1`],
      ['HEAD', `${PETS}/1`],
      ['PATCH', `${PETS}/1`],
      ['DELETE', `${PETS}/1`],
    ] as const) {
      const reply = await service.client.call(method, path)
      expect(reply.status, `${method} ${path}`).to.equal(401)
      if (method !== 'HEAD') expectNoCredentials(reply, `${method} ${path}`)
    }
  })

  it('is rejected if it is wrong, however similar', async () => {
    const swapped = key.replace(/[a-z]/i, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    )
    expect(swapped).to.not.equal(key)
    const wrong = [key.toUpperCase(), key.toLowerCase(), swapped, key.slice(0, -1), `${key}x`, `"${key}"`, '']
    for (const one of [...wrong, 'x', 'null', '%', "' or 1=1 --", 'é', 'k'.repeat(9000)]) {
      const sent = Buffer.from(one).toString('latin1')
      expectNoCredentials(await list({ 'X-API-Key': sent }), one.slice(0, 40))
    }
  })

  it('is accepted only in its header', async () => {
    for (const name of ['X-API-Key', 'ApiKeyAuth', 'api_key', 'apiKey']) {
      expectNoCredentials(await list({}, `${PETS}?${name}=${key}`), name)
    }
    expectNoCredentials(await list({ Cookie: `X-API-Key=${key}; ApiKeyAuth=${key}` }))
    expectNoCredentials(await list({ Authorization: `Bearer ${key}` }))
    expectNoCredentials(await list({ Authorization: key }))
    expectNoCredentials(await list({ 'X-Authorization': `Bearer ${key}` }))
  })

  it('is accepted if it is repeated, or next to empty headers', async () => {
    expect((await list({ 'X-API-Key': [key, key] })).status).to.equal(200)
    expect((await list({ ApiKeyAuth: ['', key, key] })).status).to.equal(200)
    expect((await list({ 'X-API-Key': key, ApiKeyAuth: key })).status).to.equal(200)
    expect((await list({ 'X-API-Key': key, ApiKeyAuth: '' })).status).to.equal(200)
    expect((await list({ 'X-API-Key': '', ApiKeyAuth: key })).status).to.equal(200)
  })

  it('is rejected next to another key, even if both are valid', async () => {
    const other = await service.apiKey()
    expectNoCredentials(await list({ 'X-API-Key': [key, other] }))
    expectNoCredentials(await list({ 'X-API-Key': key, ApiKeyAuth: other }))
    expectNoCredentials(await list({ 'X-API-Key': key, ApiKeyAuth: 'wrong' }))
    expectNoCredentials(await list({ 'X-API-Key': `${key}, ${other}` }))
    expectNoCredentials(await list({ 'X-API-Key': '', ApiKeyAuth: '' }))
  })

  it('is rejected if one header holds it twice, on hosts that can tell one header from two', async () => {
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
