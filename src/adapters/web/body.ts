import type { Milliseconds } from '../../domain/instant.js'
import { bodyError, HttpError, TOO_LATE } from '../../http/reply/http-error.js'
import { inTime, leavable, WaitError, type Arriving, type Reader, type Chunks } from './arriving.js'

export type BodyLimits = {
  /** Bytes, once it is unpacked. */
  readonly limit: number
  /** For the whole of it to arrive. */
  readonly timeout: Milliseconds
}

/**
 * The body of a request, unpacked. Rejects with an HttpError: 413 as soon as the limit is passed, 415 for a content
 * coding that is not known here, 408 where it takes too long, 400 for what cannot be read or breaks off.
 */
export async function readBody(arriving: Arriving, limits: BodyLimits): Promise<Uint8Array> {
  const { signal, headers } = arriving
  const { limit, timeout } = limits
  const coding = headers.get('content-encoding') || 'identity'
  const length = coding === 'identity' ? announcedLength(headers) : undefined
  if (length !== undefined && length > limit) throw bodyError.tooLarge()
  const chunks = unpacked(coding, () => leavable(arriving.body(), timeout))
  if (!chunks) throw bodyError.otherEncoding()
  const reader = chunks.getReader()
  try {
    const bytes = await inTime(collect(reader, limit), { timeout, signal })
    if (length === undefined || length === bytes.byteLength) return bytes
  } catch (error) {
    // Else one that is late would be read for as long as its client likes. What has broken off cannot be cancelled.
    reader.cancel().catch(() => undefined)
    throw readingError(error)
  }
  throw bodyError.unreadable()
}

/** Takes the bytes of a body as they come, until there are no more, and keeps none. Rejects as `readBody`, but for limit and coding. */
export async function awaitBody(arriving: Arriving, timeout: Milliseconds): Promise<void> {
  const reader = leavable(arriving.body(), timeout).getReader()
  const arrived = async () => {
    while (!(await reader.read()).done);
  }
  try {
    await inTime(arrived(), { timeout, signal: arriving.signal })
  } catch (error) {
    reader.cancel().catch(() => undefined)
    throw readingError(error)
  }
}

function readingError(error: unknown): HttpError {
  if (error instanceof HttpError) return error
  const isLate = error instanceof WaitError && error.isLate
  return isLate ? new HttpError(408, TOO_LATE) : bodyError.unreadable()
}

function announcedLength(headers: Headers): number | undefined {
  const text = headers.get('content-length')
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined
}

async function collect(reader: Reader, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for (let { value } = await reader.read(); value; { value } = await reader.read()) {
    size += value.byteLength
    if (size > limit) throw bodyError.tooLarge()
    chunks.push(value)
  }
  return joined(chunks, size)
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const [only] = chunks
  if (only && chunks.length === 1) return only
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  return bytes
}

type Unpacking = { readonly readable: Chunks; readonly writable: WritableStream<Uint8Array<ArrayBuffer>> }

/** What arrives in this content coding, unpacked; `undefined` for a coding that is not known here. */
function unpacked(coding: string, arriving: () => Chunks): Chunks | undefined {
  if (coding === 'identity') return arriving()
  const unpacking = coding === 'br' ? brotli() : inflating(coding)
  return unpacking && arriving().pipeThrough(unpacking)
}

function inflating(coding: string): Unpacking | undefined {
  return coding === 'gzip' || coding === 'deflate' ? new DecompressionStream(coding) : undefined
}

/** Where the platform has no stream for Brotli, as Node has none before 24, what has Node's zlib takes that. */
function brotli(): Unpacking | undefined {
  try {
    return new DecompressionStream('brotli' as 'gzip')
  } catch {
    const { process: node } = globalThis as { process?: Partial<NodeJS.Process> }
    const [zlib, stream] = [node?.getBuiltinModule?.('node:zlib'), node?.getBuiltinModule?.('node:stream')]
    if (!zlib || !stream) return undefined
    const unpacking = zlib.createBrotliDecompress()
    // It may find out that its bytes are no Brotli after its reader has left: without a listener that would end the process.
    unpacking.on('error', () => undefined)
    return stream.Duplex.toWeb(unpacking)
  }
}
