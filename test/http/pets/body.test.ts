import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { startService, type TestService } from '../../support/http/service.js'
import {
  createPetClient,
  createdId,
  expectError,
  PETS,
  type PetClient,
} from '../../support/http/pet-calls.js'

const LIMIT = 64 * 1024
const JSON_TYPE = { 'Content-Type': 'application/json' }
const INVALID = 'The body is not valid JSON in UTF-8.'
const NO_OBJECT = 'The body must be a JSON object.'
const OTHER_TYPE = 'The body must be application/json in UTF-8.'

describe('the body of a pet request', () => {
  let service: TestService
  let pets: PetClient
  before(async () => {
    service = await startService()
    pets = await createPetClient(service)
  })
  after(() => service.close())

  const send = (body: string | Uint8Array | undefined, headers: Record<string, string> = JSON_TYPE) =>
    pets.call('POST', PETS, { ...(body !== undefined && { body }), headers })

  /** A body of exactly this many bytes, valid except for its size. */
  const sized = (bytes: number) => {
    const [start, end] = ['{"name":"Rex"', '}']
    return start + ' '.repeat(bytes - start.length - end.length) + end
  }

  it('may have as many bytes as the limit', async () => {
    createdId(await send(sized(LIMIT)))
    createdId(await send(sized(LIMIT), { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' }))
    createdId(await send(gzipSync(sized(LIMIT)), { ...JSON_TYPE, 'Content-Encoding': 'gzip' }))
  })

  it('may not exceed the limit, with or without a declared length', async () => {
    const large = sized(LIMIT + 1)
    for (const [body, more] of [
      [large, {}],
      [large, { 'Transfer-Encoding': 'chunked' }],
      [gzipSync(large), { 'Content-Encoding': 'gzip' }],
      [gzipSync(large), { 'Content-Encoding': 'gzip', 'Transfer-Encoding': 'chunked' }],
    ] as const) {
      const reply = await send(body, { ...JSON_TYPE, ...more })
      expectError(reply, 413, 'The body is too large.')
    }
  })

  it('that unpacks to 50 MB is rejected and does not fill the memory', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024, 0x20))
    expect(bomb.length).to.be.lessThan(LIMIT)
    const before = process.memoryUsage().rss
    expectError(await send(bomb, { ...JSON_TYPE, 'Content-Encoding': 'gzip' }), 413)
    expect(process.memoryUsage().rss - before).to.be.lessThan(40 * 1024 * 1024)
  })

  it('may be compressed with gzip, deflate or Brotli', async () => {
    for (const [encoding, pack] of [
      ['gzip', gzipSync],
      ['deflate', deflateSync],
      ['br', brotliCompressSync],
      ['identity', (text: string) => Buffer.from(text)],
    ] as const) {
      createdId(await send(pack('{"name":"Rex"}'), { ...JSON_TYPE, 'Content-Encoding': encoding }))
    }
  })

  it('in another encoding is 415', async () => {
    for (const encoding of ['compress', 'zip', 'gzip, gzip', 'x', 'chunked']) {
      expectError(
        await send('{"name":"Rex"}', { ...JSON_TYPE, 'Content-Encoding': encoding }),
        415,
        'This content encoding is not supported.',
      )
    }
  })

  it('that is not encoded as declared is 400', async () => {
    for (const encoding of ['gzip', 'deflate', 'br']) {
      const reply = await send('{"name":"Rex"}', { ...JSON_TYPE, 'Content-Encoding': encoding })
      expectError(reply, 400, 'The body could not be read.')
    }
    const half = gzipSync('{"name":"Rex"}').subarray(0, 20)
    expectError(await send(half, { ...JSON_TYPE, 'Content-Encoding': 'gzip' }), 400)
  })

  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/json',
    'application/xml',
    'application/vnd.api+json',
    'application/jsonx',
    'application/json, text/plain',
    'json',
    '*/*',
    '',
    'application/json; charset=utf-16',
    'application/json; charset=iso-8859-1',
    'application/json; charset=x',
  ]) {
    it(`of type "${type}" is 415`, async () => {
      expectError(await send('{"name":"Rex"}', { 'Content-Type': type }), 415, OTHER_TYPE)
    })
  }

  it('without a type is 415', async () => {
    expectError(await send('{"name":"Rex"}', {}), 415, OTHER_TYPE)
  })

  for (const type of [
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'APPLICATION/JSON',
    'application/json; x=y',
  ]) {
    it(`of type ${type} is read`, async () => {
      createdId(await send('{"name":"Rex"}', { 'Content-Type': type }))
    })
  }

  it('is required', async () => {
    const rule = 'A JSON object is required as the body.'
    expectError(await send(undefined, {}), 400, rule)
    expectError(await send(undefined), 400, rule)
    expectError(await send(''), 400, rule)
    expectError(await pets.call('PATCH', `${PETS}/1`), 400, rule)
    expectError(await send('', { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' }), 400, rule)
  })

  const latin1 = Buffer.from('{"name":"Ré"}', 'latin1')
  const invalid: Record<string, string | Uint8Array> = {
    'a byte order mark': '\uFEFF{"name":"Rex"}',
    'Latin-1': latin1,
    'an overlong form': Buffer.concat([
      Buffer.from('{"name":"'),
      Buffer.from([0xc0, 0xaf]),
      Buffer.from('"}'),
    ]),
    'half a surrogate pair in bytes': Buffer.concat([
      Buffer.from('{"name":"'),
      Buffer.from([0xed, 0xa0, 0xbd]),
      Buffer.from('"}'),
    ]),
    'half a character': Buffer.concat([
      Buffer.from('{"name":"'),
      Buffer.from([0xf0, 0x9f]),
      Buffer.from('"}'),
    ]),
    'UTF-16': Buffer.from('{"name":"Rex"}', 'utf16le'),
    'half an object': '{"name":"Rex"',
    'single quotes': "{'name':'Rex'}",
    'a trailing comma': '{"name":"Rex",}',
    'a comment': '{"name":"Rex"}//',
    'two values': '{"name":"Rex"}{"name":"Max"}',
    'a line end in a string': '{"name":"a\nb"}',
    NaN: '{"name":NaN}',
    'U+0000 at the end': '{"name":"Rex"}\u0000',
    'a form': 'name=Rex',
    spaces: '   ',
  }
  for (const [what, body] of Object.entries(invalid)) {
    it(`with ${what} is 400`, async () => {
      expectError(await send(body), 400, INVALID)
    })
  }

  it('that is not an object is 400', async () => {
    for (const body of ['[]', '[{"name":"Rex"}]', 'null', 'true', '1', '"name"']) {
      expectError(await send(body), 400, NO_OBJECT)
    }
  })

  it('that is nested 10,000 deep is 400', async () => {
    const deep = '['.repeat(10_000) + ']'.repeat(10_000)
    expectError(await send(deep), 400, NO_OBJECT)
    expectError(await send(`{"name":${deep}}`), 400)
    expectError(await send(`{"name":"Rex","more":${deep}}`), 400, 'unknown field "more"')
    const objects = '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000)
    expectError(await send(objects), 400)
    expectError(await send('['.repeat(60_000)), 400, INVALID)
  })

  it('may repeat a member: the last value counts', async () => {
    const id = createdId(await send('{"name":"Rex","name":"Max"}'))
    expect((await pets.read(id)).json).to.deep.equal({ id, name: 'Max' })
  })

  it('is not read on a route without a body', async () => {
    const reply = await pets.call('GET', PETS, { body: '{', headers: { 'Content-Type': 'text/plain' } })
    expect(reply.status).to.equal(200)
  })
})

describe('a small BODY_LIMIT', () => {
  it('applies to pets', async () => {
    const service = await startService({ settings: { bodyLimit: 100 } })
    try {
      const pets = await createPetClient(service)
      createdId(await pets.create({ name: 'n'.repeat(89) }))
      expectError(await pets.create({ name: 'n'.repeat(90) }), 413)
    } finally {
      await service.close()
    }
  })
})
