import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { createPetClient, createdId, expectError, PETS } from '../../support/http/pet-calls.js'
import { servicesOfTests } from '../../support/http/service.js'

const LIMIT = 64 * 1024
const CHUNKED = { 'Transfer-Encoding': 'chunked' }
const GZIP = { 'Content-Encoding': 'gzip' }

describe('the body of a pet request', () => {
  const serve = servicesOfTests()

  /** Sends bodies to a new service. */
  const sender = async (bodyLimit = LIMIT, options: object = {}) => {
    const pets = await createPetClient(await serve({ settings: { bodyLimit }, ...options }))
    return (body: string | Uint8Array, headers: object = {}) =>
      pets.call('POST', PETS, { body, headers: { 'Content-Type': 'application/json', ...headers } })
  }
  /** A body of exactly this many bytes, valid except for its size. */
  const sized = (bytes: number) => '{"name":"Rex"}'.padEnd(bytes)

  it('can have exactly the maximum length, even after decompression, with or without Content-Length', async () => {
    const send = await sender()
    for (const [headers, pack] of [
      [{}, String],
      [CHUNKED, String],
      [GZIP, gzipSync],
      [{ ...GZIP, ...CHUNKED }, gzipSync],
    ] as const) {
      createdId(await send(pack(sized(LIMIT)), headers))
      expectError(await send(pack(sized(LIMIT + 1)), headers), 413, 'The body is too large.')
    }
  })

  it('is rejected if it decompresses to 50 MB, without filling the memory', async () => {
    const send = await sender()
    const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024, 0x20))
    expect(bomb.length).to.be.lessThan(LIMIT)
    const before = process.memoryUsage().rss
    expectError(await send(bomb, GZIP), 413)
    expect(process.memoryUsage().rss - before).to.be.lessThan(40 * 1024 * 1024)
  })
})
