import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { incomingBodyOf, readBody, type BodyLimits } from '../../../src/adapters/web/body.js'
import { createHandler, type Handler } from '../../../src/adapters/web/index.js'
import type { Kennel } from '../../../src/index.js'
import { ORIGIN, openMemoryKennel } from '../../support/http/memory-kennel.js'

const LIMITS: BodyLimits = { limit: 1000, timeout: 30_000 }
const TEXT = '{"name":"Rex"}'

type Chunks = (Uint8Array | Promise<Uint8Array>)[]

/** A request whose body arrives in these chunks; a pending promise delays the rest of the body. */
function incoming(chunks: Chunks, headers: Record<string, string> = {}, init: RequestInit = {}): Request {
  const waiting = [...chunks]
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = waiting.shift()
      if (next === undefined) controller.close()
      else controller.enqueue(await next)
    },
  })
  return new Request('http://kennel.test/', { method: 'POST', body, headers, duplex: 'half', ...init })
}

/** An endless body that arrives byte by byte; decompressed as gzip, it contains an endless file name. */
function trickle(cancelled: () => unknown = () => undefined) {
  let told: () => void = () => undefined
  const letGo = new Promise<void>((resolve) => (told = resolve))
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new Uint8Array([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3]))
    },
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 1))
      controller.enqueue(new Uint8Array([0x61]))
    },
    cancel() {
      told()
      return cancelled() as Promise<void>
    },
  })
  return { body, letGo }
}

const never = new Promise<Uint8Array>(() => undefined)
const bytes = (text: string) => new TextEncoder().encode(text)
const bytesOf = async (request: Request, limits: BodyLimits) =>
  await readBody(await incomingBodyOf(request, limits.timeout), limits)
const read = async (request: Request, limits = LIMITS) =>
  new TextDecoder().decode(await bytesOf(request, limits))

/** Returns the status and the message of the error. */
async function refused(request: Request, limits = LIMITS): Promise<[unknown, string]> {
  const error = await bytesOf(request, limits).then(
    () => new Error('was read'),
    (one: unknown) => one as Error,
  )
  return [(error as Error & { status?: number }).status, error.message]
}

const TOO_LARGE = [413, 'The body is too large.']
const LATE = [408, 'The request took too long to arrive.']
const UNREADABLE = [400, 'The body could not be read.']

describe('the body of a web Request', () => {
  it('is assembled from its chunks, and may be exactly as long as the limit', async () => {
    expect(await read(incoming([bytes('{"na'), bytes('me":'), bytes('"Rex"}')]))).to.equal(TEXT)
    expect(await read(incoming([bytes('a'.repeat(600)), bytes('b'.repeat(400))]))).to.have.length(1000)
    expect(await read(new Request('http://kennel.test/', { method: 'POST' }))).to.equal('')
  })

  it('is decompressed', async () => {
    for (const [coding, packed] of [
      ['gzip', gzipSync(TEXT)],
      ['deflate', deflateSync(TEXT)],
      ['br', brotliCompressSync(TEXT)],
      ['identity', bytes(TEXT)],
    ] as const) {
      const pieces = [packed.subarray(0, 5), packed.subarray(5)]
      expect(await read(incoming(pieces, { 'Content-Encoding': coding })), coding).to.equal(TEXT)
    }
  })

  it('is rejected with 415 if the content coding is unknown', async () => {
    const refusal = [415, 'This content encoding is not supported.']
    for (const coding of ['GZIP', 'gzip, gzip', 'zstd'])
      expect(await refused(incoming([bytes(TEXT)], { 'Content-Encoding': coding }))).to.deep.equal(refusal)
  })

  it('is rejected with 413 before the first byte if its declared length is too large', async () => {
    const request = incoming([never], { 'Content-Length': '1001' })
    expect(await refused(request)).to.deep.equal(TOO_LARGE)
    expect(request.bodyUsed).to.equal(false)
  })

  it('is rejected with 413 as soon as it exceeds the limit, whether compressed or not', async () => {
    expect(await refused(incoming([bytes('a'.repeat(1001)), never]))).to.deep.equal(TOO_LARGE)
    for (const [coding, pack] of [
      ['gzip', gzipSync],
      ['br', brotliCompressSync],
    ] as const) {
      const packed = incoming([pack('a'.repeat(1_000_000)), never], { 'Content-Encoding': coding })
      expect(await refused(packed)).to.deep.equal(TOO_LARGE)
    }
  })

  it('is read completely after a 413 response, so that the client receives the response', async () => {
    let left = 50
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (left === 0) controller.close()
        else controller.enqueue(bytes('a'.repeat(1000)))
        left -= 1
      },
    })
    expect(await refused(incoming([], {}, { body }))).to.deep.equal(TOO_LARGE)
    // This test times out if the body is never read completely.
    while (left >= 0) await new Promise((resolve) => setImmediate(resolve))
  })

  it('is rejected with 400 if it is truncated, badly compressed, or not of its declared length', async () => {
    const broken = Promise.reject(new Error('reset'))
    expect(await refused(incoming([bytes('{'), broken]))).to.deep.equal(UNREADABLE)
    const packed = gzipSync(TEXT)
    for (const [coding, sent] of [
      ['gzip', packed.subarray(0, -4)],
      ['gzip', bytes(TEXT)],
      ['deflate', packed],
      ['br', bytes('not packed at all')],
      ['gzip', new Uint8Array()],
    ] as const)
      expect(await refused(incoming([sent], { 'Content-Encoding': coding }))).to.deep.equal(UNREADABLE)
    expect(await refused(incoming([bytes(TEXT)], { 'Content-Length': '100' }))).to.deep.equal(UNREADABLE)
  })

  it('is rejected with 408 if it takes too long to arrive', async () => {
    const packed = incoming([gzipSync(TEXT).subarray(0, 8), never], { 'Content-Encoding': 'gzip' })
    for (const request of [incoming([bytes('{'), never]), packed])
      expect(await refused(request, { ...LIMITS, timeout: 20 })).to.deep.equal(LATE)
  })

  it('is canceled if it is late or if the client has disconnected', async () => {
    for (const [coding, signal] of [
      ['identity', undefined],
      ['gzip', undefined],
      ['identity', AbortSignal.timeout(5)],
      ['identity', AbortSignal.abort()],
    ] as const) {
      const { body, letGo } = trickle()
      const init = { body, headers: { 'Content-Encoding': coding }, ...(signal && { signal }) }
      const expected = signal ? UNREADABLE : LATE
      expect(await refused(incoming([], {}, init), { limit: 1e9, timeout: 20 })).to.deep.equal(expected)
      await letGo
    }
  })

  it('may fail at any time after it was rejected, without an unhandled rejection', async () => {
    const unhandled: unknown[] = []
    const note = (reason: unknown) => unhandled.push(reason)
    process.on('unhandledRejection', note)
    const { body, letGo } = trickle(() => Promise.reject(new Error('reset')))
    await refused(incoming([], {}, { body }), { ...LIMITS, timeout: 20 })
    await letGo
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', note)
    expect(unhandled).to.deep.equal([])
  })
})

describe('the detection of a request body', () => {
  const has = async (request: Request) => (await incomingBodyOf(request, 30_000)).hasBody

  it('is based on the headers, without waiting for the body', async () => {
    expect(await has(incoming([never], { 'Content-Length': '5' }))).to.equal(true)
    expect(await has(incoming([never], { 'Transfer-Encoding': 'chunked' }))).to.equal(true)
    expect(await has(incoming([never], { 'Content-Length': '0' }))).to.equal(false)
    expect(await has(new Request('http://kennel.test/'))).to.equal(false)
  })

  it('is based on the first chunk if the headers do not indicate a body', async () => {
    expect(await has(incoming([]))).to.equal(false)
    expect(await has(new Request('http://kennel.test/', { method: 'POST', body: TEXT }))).to.equal(true)
    expect(await read(incoming([bytes('{"a"'), bytes(':1}')]))).to.equal('{"a":1}')
    expect((await incomingBodyOf(incoming([never]), 20)).hasBody, 'a late one').to.equal(true)
  })
})

describe('a response of the web handler', () => {
  let kennel: Kennel
  let handler: Handler

  before(async () => {
    kennel = await openMemoryKennel()
    handler = createHandler(kennel)
  })
  after(() => kennel.close())

  it('closes the connection only if the body was not read', async () => {
    const connections: (string | null)[] = []
    const headers = { 'Content-Type': 'application/json' }
    for (const body of ['{}', undefined, JSON.stringify({ email: 'a'.repeat(200_000) })])
      for (const path of ['/nothing', '/api/auth/login']) {
        const init = { method: 'POST', headers, ...(body !== undefined && { body }) }
        connections.push((await handler(new Request(`${ORIGIN}${path}`, init))).headers.get('Connection'))
      }
    expect(connections).to.deep.equal(['close', null, null, null, 'close', 'close'])
  })

  for (const [body, connection] of [
    ['{}', 'close'],
    [undefined, null],
  ] as const)
    it(`has the status 500 and the Connection header ${String(connection)} after an error (body: ${String(body)})`, async () => {
      const init = { method: 'POST', ...(body !== undefined && { body }) }
      const request = new Request(`${ORIGIN}/nothing`, init)
      Object.defineProperty(request, 'signal', {
        get: () => {
          throw new Error('a platform without signals')
        },
      })
      const reply = await handler(request)
      expect([reply.status, reply.headers.get('Connection')]).to.deep.equal([500, connection])
    })
})
