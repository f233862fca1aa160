import { expect } from 'chai'
import { unavailable } from '../../../src/domain/refusal.js'
import type { Reply } from '../../support/http/client.js'
import { collectingLog } from '../../support/log-collector.js'
import { servicesOfTests } from '../../support/http/services.js'
import { watching } from '../../support/watched-store.js'
import { basic, createPetClient, PETS, type PetClient } from '../../support/http/pet-calls.js'

const MARK = 'cAnArY'
const APP = 'https://app.example'

function everyOperation(pets: PetClient): readonly (() => Promise<Reply>)[] {
  return [
    () => pets.list(),
    () => pets.create({ name: 'Rex' }),
    () => pets.read(1),
    () => pets.patch(1, { age: 1 }),
    () => pets.remove(1),
  ]
}

describe('the pet routes during failures', () => {
  const serve = servicesOfTests()

  for (const [what, error] of Object.entries({
    'an error': (): unknown => new TypeError(`${MARK}: SELECT * FROM pets`),
    'an error with a status': (): unknown => Object.assign(new Error(MARK), { status: 200, expose: true }),
    'a string': (): unknown => MARK,
    undefined: (): unknown => undefined,
  })) {
    it(`answer ${what} with a blank 500 and a request ID, and recover afterwards`, async () => {
      let broken = false
      const collected = collectingLog()
      const aroundStore = watching(async (_name, run) => {
        if (broken) throw error()
        return await run()
      })
      const service = await serve({ aroundStore, log: collected.log })
      const pets = await createPetClient(service)
      await pets.add()
      broken = true
      for (const call of everyOperation(pets)) {
        const reply = await call()
        expect(reply.status).to.equal(500)
        expect(reply.json).to.deep.equal({ code: 500, message: 'Internal error.' })
        const line = collected.lines.at(-1)
        expect(line?.level).to.equal('error')
        expect(line?.fields).to.include({ status: 500, requestId: reply.headers['x-request-id'] })
      }
      expect(collected.lines).to.have.length(everyOperation(pets).length)
      broken = false
      expect((await pets.read(1)).status).to.equal(200)
    })
  }

  it('answer 503 while the store is unavailable, and recover afterwards', async () => {
    let away = false
    const aroundStore = watching((_name, run) =>
      away ? Promise.reject(unavailable('no route to the store')) : run(),
    )
    const pets = await createPetClient(await serve({ aroundStore }))
    await pets.add()
    away = true
    for (const call of everyOperation(pets)) {
      const reply = await call()
      expect(reply.status).to.equal(503)
      expect(reply.json).to.deep.equal({
        code: 503,
        message: 'The service is unavailable, try again shortly.',
      })
      expect(reply.headers['retry-after']).to.equal('2')
      expect(reply.headers.etag).to.equal(undefined)
    }
    away = false
    expect((await pets.list()).json).to.deep.equal([{ id: 1, name: 'Rex' }])
  })

  it('write no credential and no body into the log or a reply', async () => {
    let broken = false
    const collected = collectingLog()
    const aroundStore = watching(async (_name, run) => {
      if (broken) throw new Error('the store broke')
      return await run()
    })
    const service = await serve({ aroundStore, log: collected.log })
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
    broken = true
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
    const service = await serve({ settings: { corsOrigins: [APP], apiKeyHeader: 'X-Kennel-Key' } })
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

  it('lets a listed origin read every reply, including failures', async () => {
    const pets = await createPetClient(await serve({ settings: { corsOrigins: [APP] } }))
    await pets.add()
    const headers = { Origin: APP }
    for (const reply of [
      await pets.list('', headers),
      await pets.create({ name: 'Rex' }, headers),
      await pets.read(1, { ...headers, 'If-None-Match': '*' }),
      await pets.list('', { ...headers, 'X-API-Key': 'wrong' }),
      await pets.patch(1, { age: 1 }, { ...headers, 'If-Match': '"x"' }),
      await pets.call('DELETE', PETS, { headers }),
    ]) {
      expect(reply.headers['access-control-allow-origin']).to.equal(APP)
      expect(reply.headers['access-control-expose-headers']).to.equal(
        'x-next,Link,Location,ETag,Retry-After,X-Request-Id',
      )
      expect(reply.headers.vary).to.equal('Origin')
    }
  })

  it('lets no other origin read a reply, and no origin at all without a list', async () => {
    for (const corsOrigins of [[APP], []]) {
      const pets = await createPetClient(await serve({ settings: { corsOrigins } }))
      for (const origin of [
        'https://evil.example',
        'https://app.example.evil.example',
        'null',
        `${APP}:444`,
      ]) {
        const reply = await pets.list('', { Origin: origin })
        expect(reply.status).to.equal(200)
        expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).to.deep.equal(
          [],
        )
        const preflight = await pets.call('OPTIONS', PETS, {
          headers: { Origin: origin, 'Access-Control-Request-Method': 'POST' },
        })
        expect(
          Object.keys(preflight.headers).filter((name) => name.startsWith('access-control')),
        ).to.deep.equal([])
      }
    }
  })
})
