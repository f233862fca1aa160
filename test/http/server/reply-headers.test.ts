import { createHash } from 'node:crypto'
import { expect } from 'chai'
import type { Reply } from '../../support/http/client.js'
import { watching } from '../../support/watched-store.js'
import { CHALLENGE, createPetClient, PETS, type PetClient } from '../../support/http/pet-calls.js'
import { startService, type TestService } from '../../support/http/service.js'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Node sends these itself, so they are the same for every service. */
const TRANSPORT = ['connection', 'date', 'keep-alive', 'transfer-encoding', 'content-length']

const FIXED = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}
const JSON_BODY = { ...FIXED, 'content-type': 'application/json; charset=utf-8' }
const CACHED = { 'cache-control': 'private, no-cache' }
/** A compressing proxy would weaken the ETag, and `If-Match` with a weak ETag is always 412. */
const TAGGED = { 'cache-control': 'private, no-cache, no-transform' }

/** All headers of a reply except the transport headers; checks the request ID. */
function headersOf({ headers }: Reply): object {
  const { 'x-request-id': requestId, ...others } = headers
  expect(requestId).to.match(UUID)
  return Object.fromEntries(Object.entries(others).filter(([name]) => !TRANSPORT.includes(name)))
}

describe('the headers of a reply', () => {
  let service: TestService
  let pets: PetClient
  let broken = false
  let descriptionTag: string
  before(async () => {
    const aroundStore = watching(async (name, run) => {
      if (broken && name.startsWith('pets.')) throw new Error('broken on purpose')
      return await run()
    })
    service = await startService({ aroundStore, settings: { bodyLimit: 200 } })
    pets = await createPetClient(service)
    await pets.add()
    await pets.add()
    const { text } = await anonymous('GET', '/openapi.json')
    descriptionTag = `"${createHash('sha256').update(text).digest('base64url')}"`
  })
  after(async () => {
    await service.close()
  })

  const next = () => `${service.origin}${PETS}?limit=1&cursor=${Buffer.from('p1:1').toString('base64url')}`
  const anonymous = (method: string, path: string, headers = {}) =>
    service.client.call(method, path, { headers })

  const replies: Record<string, [() => Promise<Reply>, number, () => object]> = {
    'a list': [
      () => pets.list('?limit=1'),
      200,
      () => ({ ...JSON_BODY, ...CACHED, 'x-next': next(), link: `<${next()}>; rel="next"` }),
    ],
    'the last page': [() => pets.list(), 200, () => ({ ...JSON_BODY, ...CACHED })],
    'a pet': [() => pets.read(1), 200, () => ({ ...JSON_BODY, ...TAGGED, etag: '"1-1"' })],
    'HEAD of a pet': [
      () => pets.call('HEAD', `${PETS}/1`),
      200,
      () => ({ ...JSON_BODY, ...TAGGED, etag: '"1-1"' }),
    ],
    'an unchanged pet': [
      () => pets.read(1, { 'If-None-Match': '*' }),
      304,
      () => ({ ...FIXED, ...TAGGED, etag: '"1-1"' }),
    ],
    'a new pet': [
      () => pets.create({ name: 'Max' }),
      201,
      () => ({ ...FIXED, location: `${service.origin}${PETS}/3` }),
    ],
    'a changed pet': [
      () => pets.patch(2, { age: 1 }),
      200,
      () => ({ ...JSON_BODY, 'cache-control': 'no-store, no-transform', etag: '"2-2"' }),
    ],
    'a bad query': [() => pets.list('?limit=0'), 400, () => JSON_BODY],
    'no credentials': [
      () => anonymous('GET', PETS),
      401,
      () => ({ ...JSON_BODY, 'www-authenticate': CHALLENGE }),
    ],
    'an unknown pet': [() => pets.read(99), 404, () => JSON_BODY],
    'an unknown path': [() => anonymous('GET', '/nothing'), 404, () => JSON_BODY],
    'another method': [
      () => anonymous('DELETE', PETS),
      405,
      () => ({ ...JSON_BODY, allow: 'HEAD, GET, POST' }),
    ],
    'an unsupported Accept': [() => pets.list('', { Accept: 'text/html' }), 406, () => JSON_BODY],
    'a stale condition': [() => pets.patch(1, { age: 1 }, { 'If-Match': '"1-9"' }), 412, () => JSON_BODY],
    'a large body': [() => pets.create({ name: 'n'.repeat(200) }), 413, () => JSON_BODY],
    'an unsupported Content-Type': [
      () => pets.create({}, { 'Content-Type': 'text/plain' }),
      415,
      () => JSON_BODY,
    ],
    'large headers': [() => anonymous('GET', PETS, { 'X-Large': 'a'.repeat(20_000) }), 431, () => JSON_BODY],
    'a liveness probe': [() => anonymous('GET', '/health/live'), 200, () => JSON_BODY],
    'a readiness probe': [() => anonymous('GET', '/health/ready'), 200, () => JSON_BODY],
    'the description': [
      () => anonymous('GET', '/openapi.json'),
      200,
      () => ({ ...JSON_BODY, 'cache-control': 'no-cache', etag: descriptionTag, vary: 'Accept-Encoding' }),
    ],
    'an OPTIONS request': [
      () => anonymous('OPTIONS', PETS),
      200,
      () => ({ ...FIXED, allow: 'HEAD, GET, POST' }),
    ],
  }
  for (const [what, [send, status, headers]] of Object.entries(replies)) {
    it(`are exactly these for ${what}`, async () => {
      const reply = await send()
      expect(reply.status, reply.text).to.equal(status)
      expect(headersOf(reply)).to.deep.equal(headers())
    })
  }

  it('are exactly these for an internal error and for an unavailable store', async () => {
    broken = true
    const error = await pets.list()
    broken = false
    expect(error.status).to.equal(500)
    expect(error.json).to.deep.equal({ code: 500, message: 'Internal error.' })
    expect(headersOf(error)).to.deep.equal(JSON_BODY)
    await service.store.close()
    const away = await pets.list()
    expect(away.status).to.equal(503)
    expect(headersOf(away)).to.deep.equal({ ...JSON_BODY, 'retry-after': '2' })
  })

  it('never name the server software', async () => {
    for (const path of [PETS, '/', '/health/live', '/openapi.json']) {
      const { headers } = await anonymous('GET', path)
      // The ETag is a digest that depends on the port, so its random letters may spell such a name.
      const { etag, ...told } = headers
      expect(etag === undefined, path).to.equal(path !== '/openapi.json')
      expect(Object.entries(told).join().toLowerCase()).to.not.match(/powered|koa|express|node|server/)
    }
  })

  it("pass on a proxy's request ID of 8 to 64 plain characters, and replace any other", async () => {
    const proxied = await startService({ settings: { trustProxy: 1 } })
    const send = async (id: string | readonly string[]) => {
      const { headers } = await proxied.client.call('GET', '/health/live', {
        headers: { 'X-Request-Id': id },
      })
      return headers['x-request-id']
    }
    for (const id of ['12345678', 'a.b-c_D9', 'x'.repeat(64)]) expect(await send(id)).to.equal(id)
    for (const id of [
      '',
      '1234567',
      'x'.repeat(65),
      'a b c d e f',
      'é'.repeat(8),
      '<script>x',
      'a,b,c,d,e,f',
    ]) {
      expect(await send(id), id).to.match(UUID)
    }
    expect(await send(['12345678', '12345678'])).to.match(UUID)
    await proxied.close()
  })

  it('have a new request ID every time', async () => {
    const ids = await Promise.all(
      Array.from(
        { length: 20 },
        async () => (await anonymous('GET', '/health/live')).headers['x-request-id'],
      ),
    )
    expect(new Set(ids).size).to.equal(20)
  })
})

describe('Strict-Transport-Security', () => {
  for (const [publicUrl, expected] of [
    ['https://pets.example', 'max-age=31536000'],
    ['http://pets.example', undefined],
  ] as const) {
    it(`is ${expected === undefined ? 'absent' : 'present'} if PUBLIC_URL is ${publicUrl}`, async () => {
      const service = await startService({ settings: { publicUrl } })
      try {
        for (const path of [PETS, '/nothing', '/health/live', '/openapi.json', '/api/auth/get-identity']) {
          const { headers } = await service.client.call('GET', path)
          expect(headers['strict-transport-security'], path).to.equal(expected)
        }
        const preflight = await service.client.call('OPTIONS', PETS)
        expect(preflight.headers['strict-transport-security']).to.equal(expected)
      } finally {
        await service.close()
      }
    })
  }
})
