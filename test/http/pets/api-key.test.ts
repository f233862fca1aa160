import { expect } from 'chai'
import { stub } from 'sinon'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import { HOST } from '../../support/http/host.js'
import { PASSWORD, startService, type TestService } from '../../support/http/service.js'
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
    it(`is taken from ${name}`, async () => {
      expect((await list({ [name]: key })).status).to.equal(200)
    })
  }

  it('is needed on every operation', async () => {
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

  it('is asked for before the body and the id are looked at', async () => {
    expectNoCredentials(await service.client.call('POST', PETS, { json: { id: 1 } }))
    expectNoCredentials(await service.client.call('PATCH', `${PETS}/nothing`, { body: '{' }))
    expectNoCredentials(await list({}, `${PETS}?limit=0`))
    expectNoCredentials(await list({ Accept: 'text/html' }))
  })

  it('that is wrong is refused, however near it is', async () => {
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

  it('counts nowhere but in its header', async () => {
    for (const name of ['X-API-Key', 'ApiKeyAuth', 'api_key', 'apiKey']) {
      expectNoCredentials(await list({}, `${PETS}?${name}=${key}`), name)
    }
    expectNoCredentials(await list({ Cookie: `X-API-Key=${key}; ApiKeyAuth=${key}` }))
    expectNoCredentials(await list({ Authorization: `Bearer ${key}` }))
    expectNoCredentials(await list({ Authorization: key }))
    expectNoCredentials(await list({ 'X-Authorization': `Bearer ${key}` }))
  })

  it('is one where it came twice, or beside headers that are empty', async () => {
    expect((await list({ 'X-API-Key': [key, key] })).status).to.equal(200)
    expect((await list({ ApiKeyAuth: ['', key, key] })).status).to.equal(200)
    expect((await list({ 'X-API-Key': key, ApiKeyAuth: key })).status).to.equal(200)
    expect((await list({ 'X-API-Key': key, ApiKeyAuth: '' })).status).to.equal(200)
    expect((await list({ 'X-API-Key': '', ApiKeyAuth: key })).status).to.equal(200)
  })

  it('is refused beside another one, also when both are right', async () => {
    const other = await service.apiKey()
    expectNoCredentials(await list({ 'X-API-Key': [key, other] }))
    expectNoCredentials(await list({ 'X-API-Key': key, ApiKeyAuth: other }))
    expectNoCredentials(await list({ 'X-API-Key': key, ApiKeyAuth: 'wrong' }))
    expectNoCredentials(await list({ 'X-API-Key': `${key}, ${other}` }))
    expectNoCredentials(await list({ 'X-API-Key': '', ApiKeyAuth: '' }))
  })

  it('is none where one header holds it twice, as far as the host can tell one header from two', async () => {
    const reply = await list({ 'X-API-Key': `${key}, ${key}` })
    if (HOST === 'koa') expectNoCredentials(reply)
    else expect(reply.status).to.equal(200)
  })

  it('that is revoked is refused at the next request', async () => {
    const made = await service.useCases.createApiKey({ caller: OPERATOR, name: 'old', roles: [] })
    expect((await list({ 'X-API-Key': made.key })).status).to.equal(200)
    const revoked = await service.store.apiKeys.revoke(made.id, service.clock.now)
    expect(revoked).to.equal('revoked')
    expectNoCredentials(await list({ 'X-API-Key': made.key }))
    expect((await list({ 'X-API-Key': key })).status).to.equal(200)
  })

  it('that has expired is answered as one that there never was, to the byte', async () => {
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

  it('answers while its last use cannot be written, and before it is', async () => {
    const made = await service.useCases.createApiKey({ caller: OPERATOR, name: 'used', roles: [] })
    const recordUse = stub(service.store.apiKeys, 'recordUse').returns(new Promise(() => undefined))
    const replies = await Promise.all(Array.from({ length: 16 }, () => list({ 'X-API-Key': made.key })))
    replies.push(await list({ 'X-API-Key': made.key }))
    recordUse.restore()
    expect(new Set(replies.map(({ status }) => status))).to.deep.equal(new Set([200]))
    expect(recordUse.callCount).to.equal(1)
  })

  it('is not replaced by a bearer token or a session cookie', async () => {
    await service.account('ada@example.com')
    const login = await service.client.call('POST', '/api/auth/login', {
      json: { email: 'ada@example.com', password: PASSWORD },
    })
    const { jwt } = (login.json as { view: { jwt: string } }).view
    const [cookie = ''] = login.headers['set-cookie'] ?? []
    const session = { 'X-Authorization': `Bearer ${jwt}`, Cookie: cookie.split(';')[0] ?? '' }
    expect(
      (await service.client.call('GET', '/api/auth/get-identity', { headers: session })).status,
    ).to.equal(200)
    expectNoCredentials(await list(session))
    expectNoCredentials(await list({ ...session, Authorization: `Bearer ${jwt}` }))
    expect((await list({ ...session, Authorization: `Bearer ${jwt}`, 'X-API-Key': key })).status).to.equal(
      200,
    )
  })
})

for (const renamed of ['X-Kennel-Key', 'ApiKeyAuth']) {
  describe(`an API key whose header is called ${renamed}`, () => {
    let service: TestService
    let key: string
    before(async () => {
      service = await startService({ settings: { apiKeyHeader: renamed } })
      key = await service.apiKey()
    })
    after(() => service.close())

    const list = (headers: Record<string, string>) => service.client.call('GET', PETS, { headers })

    it('is taken from there and from ApiKeyAuth', async () => {
      expect((await list({ [renamed]: key })).status).to.equal(200)
      expect((await list({ ApiKeyAuth: key })).status).to.equal(200)
    })

    it('is no longer taken from X-API-Key', async () => {
      expectNoCredentials(await list({ 'X-API-Key': key }))
    })

    it('is described under that name', async () => {
      const { components } = (await service.client.call('GET', '/openapi.json')).json as {
        components: { securitySchemes: Record<string, unknown> }
      }
      expect(components.securitySchemes['ApiKeyAuth']).to.deep.include({
        type: 'apiKey',
        in: 'header',
        name: renamed,
      })
    })
  })
}
