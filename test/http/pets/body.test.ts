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
