import type { Milliseconds } from '../../domain/instant.js'
import { bodyError, HttpError, TOO_LATE } from '../../http/reply/failure.js'
import {
  inTime,
  drainOnCancel,
  WaitError,
  type IncomingBody,
  type Reader,
  type Chunks,
} from './incoming-body.js'

export type BodyLimits = {
  /** Maximum number of bytes after decompression. */
  readonly limit: number
  /** Maximum time for the whole body to arrive. */
  readonly timeout: Milliseconds
}

/**
 * Returns the decompressed body of a request. Rejects with an HttpError: 413 as soon as the body exceeds the limit, 415 if the content
 * coding is not supported, 408 after the timeout, 400 if the body is unreadable or incomplete.
 */
export async function readBody(incoming: IncomingBody, limits: BodyLimits): Promise<Uint8Array> {
  const { signal, headers } = incoming
  const { limit, timeout } = limits
  const coding = headers.get('content-encoding') || 'identity'
  const length = coding === 'identity' ? announcedLength(headers) : undefined
  if (length !== undefined && length > limit) throw bodyError.tooLarge()
  const chunks = decompress(coding, () => drainOnCancel(incoming.body(), timeout))
  if (!chunks) throw bodyError.otherEncoding()
  const reader = chunks.getReader()
  try {
    const bytes = await inTime(collect(reader, limit), { timeout, signal })
    if (length === undefined || length === bytes.byteLength) return bytes
  } catch (error) {
    // Without `cancel`, the server would continue to read a body that arrives too late. Canceling fails if the body has been aborted.
    reader.cancel().catch(() => undefined)
    throw readingError(error)
  }
  throw bodyError.unreadable()
}

/** Reads and discards the whole body. Rejects with an HttpError: 408 after the timeout, 400 if the body is incomplete. */
export async function awaitBody(incoming: IncomingBody, timeout: Milliseconds): Promise<void> {
  const reader = drainOnCancel(incoming.body(), timeout).getReader()
  const arrived = async () => {
    while (!(await reader.read()).done);
  }
  try {
    await inTime(arrived(), { timeout, signal: incoming.signal })
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

type Decompressor = { readonly readable: Chunks; readonly writable: WritableStream<Uint8Array<ArrayBuffer>> }

/** Decompresses a body with this content coding; returns `undefined` if the coding is not supported. */
function decompress(coding: string, incoming: () => Chunks): Chunks | undefined {
  if (coding === 'identity') return incoming()
  const unpacking = coding === 'br' ? brotli() : inflater(coding)
  return unpacking && incoming().pipeThrough(unpacking)
}

function inflater(coding: string): Decompressor | undefined {
  return coding === 'gzip' || coding === 'deflate' ? new DecompressionStream(coding) : undefined
}

/** Falls back to zlib on platforms that have `node:zlib` but no Brotli stream, such as Node before 24. */
function brotli(): Decompressor | undefined {
  try {
    return new DecompressionStream('brotli' as 'gzip')
  } catch {
    const { process: node } = globalThis as { process?: Partial<NodeJS.Process> }
    const [zlib, stream] = [node?.getBuiltinModule?.('node:zlib'), node?.getBuiltinModule?.('node:stream')]
    if (!zlib || !stream) return undefined
    const unpacking = zlib.createBrotliDecompress()
    // The stream may detect malformed bytes after its reader has stopped reading. Without a listener, the resulting error would end the
    // process.
    unpacking.on('error', () => undefined)
    return stream.Duplex.toWeb(unpacking)
  }
}
