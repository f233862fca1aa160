import { expect } from 'chai'
import { collectingLog } from '../../support/log-collector.js'
import { servicesOfTests } from '../../support/http/services.js'
import { breakable } from '../../support/watched-store.js'
import { basic, createPetClient, PETS } from '../../support/http/pet-calls.js'

const MARK = 'cAnArY'
const APP = 'https://app.example'

describe('the pet routes during failures', () => {
  const serve = servicesOfTests()

  it('write no credential and no body into the log or a reply', async () => {
    const collected = collectingLog()
    const store = breakable()
    const service = await serve({ aroundStore: store.aroundStore, log: collected.log })
    const pets = await createPetClient(service)
    await service.account('ada@example.com')
    const person = { Authorization: basic('ada@example.com'), 'X-API-Key': '' }
    const marked = [
      { 'X-API-Key': MARK },
      { ApiKeyAuth: MARK },
      { Authorization: `Basic ${MARK}` },
      { Authorization: basic('ada@example.com', MARK) },
      { Authorization: basic(MARK, MARK) },
      { BasicAuth: `${MARK}:${MARK}` },
      { Cookie: `sid=${MARK}`, 'X-Authorization': `Bearer ${MARK}` },
    ]
    const replies = [await pets.list('', person)]
    for (const headers of marked) {
      replies.push(await service.client.call('GET', PETS, { headers }), await pets.list('', headers))
    }
    for (const [method, path, body] of [
      ['GET', `${PETS}?api_key=${MARK}&limit=${MARK}`, undefined],
      ['GET', `${PETS}?cursor=${MARK}`, undefined],
      ['GET', `${PETS}/${MARK}`, undefined],
      ['GET', `/${MARK}`, undefined],
      ['POST', PETS, `{"name":"${MARK}\\u0000"}`],
      ['POST', PETS, `{"name":"Rex","category":"${MARK}"}`],
      ['POST', PETS, MARK],
      ['PATCH', `${PETS}/1`, `{"age":"${MARK}"}`],
      ['DELETE', `${PETS}/${MARK}`, undefined],
    ] as const) {
      const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': `${MARK} ` }
      replies.push(await pets.call(method, path, { ...(body !== undefined && { body }), headers }))
    }
    store.broken = true
    replies.push(await pets.list(), await pets.list('', person))
    await service.store.close()
    replies.push(await pets.list())
    const encoded = Buffer.from(MARK).toString('base64').slice(0, 7)
    for (const secret of [MARK, pets.headers['X-API-Key'], basic('ada@example.com').slice(6), encoded]) {
      expect(collected.text()).to.not.include(secret)
      for (const { text, rawHeaders } of replies) expect(text + rawHeaders.join()).to.not.include(secret)
    }
    expect(collected.text()).to.include('the store broke')
  })
})

describe('CORS on the pet routes', () => {
  const serve = servicesOfTests()

  it('answers a preflight of a listed origin without credentials', async () => {
    const service = await serve({ settings: { corsOrigins: [APP], petsApiKeyHeader: 'X-Kennel-Key' } })
    for (const path of [PETS, `${PETS}/1`]) {
      const { status, headers, text } = await service.client.call('OPTIONS', path, {
        headers: {
          Origin: APP,
          'Access-Control-Request-Method': 'PATCH',
          'Access-Control-Request-Headers': 'x-kennel-key',
        },
      })
      expect(status).to.equal(204)
      expect(text).to.equal('')
      expect(headers).to.include({
        'access-control-allow-origin': APP,
        'access-control-allow-credentials': 'true',
        'access-control-allow-methods': 'GET,HEAD,POST,PATCH,DELETE',
        'access-control-allow-headers':
          'Content-Type,X-Authorization,X-Kennel-Key,Authorization,ApiKeyAuth,BasicAuth,If-Match,If-None-Match,Idempotency-Key',
        vary: 'Origin',
      })
    }
  })
})
