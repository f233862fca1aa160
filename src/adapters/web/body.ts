import type { Milliseconds } from '../../domain/instant.js'
import { bodyError, HttpError, TOO_LATE } from '../../http/reply/failure.js'

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

type Chunks = ReadableStream<Uint8Array<ArrayBuffer>>
type Reader = ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>

/** A request body and the headers that describe it. */
export type IncomingBody = {
  readonly headers: Headers
  /** The signal that is aborted when the client hangs up. */
  readonly signal: AbortSignal
  readonly hasBody: boolean
  /** Must be called only to read the body, because the platform discards a body that the application has not begun to read. */
  readonly body: () => Chunks | null
  /** Must be called after the reply; discards the rest of a body that the application has begun to read. */
  readonly leave: () => void
}

/**
 * The headers of an HTTP/1 request announce whether there is a body. HTTP/2 requests and requests created by a program may have a body
 * without such headers; in this case, the function waits for the first chunk.
 */
export async function incomingBodyOf(request: Request, timeout: Milliseconds): Promise<IncomingBody> {
  const { headers, method } = request
  const length = headers.get('content-length')
  const isAnnounced = length !== null || headers.has('transfer-encoding')
  const body = () => {
    if (request.bodyUsed) throw new TypeError(ALREADY_READ)
    return request.body as Chunks | null
  }
  const signalled = { headers, signal: request.signal }
  if (isAnnounced || method === 'GET' || method === 'HEAD')
    return { ...signalled, hasBody: isAnnounced && length !== '0', body, leave: () => undefined }
  const unannounced = body()
  const first = unannounced && (await startReading(unannounced, { signal: request.signal, timeout }))
  const leave = () => {
    if (first?.locked === false) void discard(first.getReader(), timeout)
  }
  return { ...signalled, hasBody: first !== null, body: () => first, leave }
}

const ALREADY_READ =
  'The body of a request was read before the request reached Kennel: the Kennel handler must come before any code that reads bodies.'

/** Starts reading the body and returns `null` if the body is empty. */
async function startReading(body: Chunks, wait: Wait): Promise<Chunks | null> {
  const reader = body.getReader()
  const first = reader.read()
  const isEmpty = inTime(first, wait).then(
    ({ done }) => done,
    () => false,
  )
  return (await isEmpty) ? null : passedOn(reader, () => reader.cancel(), first)
}

/**
 * Wraps a body: if the reader cancels, the rest of the body is still read and discarded until the timeout. Closing a connection with unread
 * bytes would reset the connection, and the client would lose the reply.
 */
function drainOnCancel(body: Chunks | null, timeout: Milliseconds): Chunks {
  const reader = (body ?? (new Blob([]).stream() as Chunks)).getReader()
  return passedOn(reader, () => {
    void discard(reader, timeout)
    return Promise.resolve()
  })
}

function passedOn(reader: Reader, cancel: () => Promise<void>, first?: ReturnType<Reader['read']>): Chunks {
  let ahead = first
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await (ahead ?? reader.read())
      ahead = undefined
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel,
  })
}

async function discard(reader: Reader, timeout: Milliseconds): Promise<void> {
  const late = setTimeout(() => {
    // Canceling fails if the body has just been aborted.
    reader.cancel().catch(() => undefined)
  }, timeout)
  try {
    while (!(await reader.read()).done);
  } catch {
    // The body has broken off.
  } finally {
    clearTimeout(late)
  }
}

export type Wait = { readonly timeout: Milliseconds; readonly signal: AbortSignal }

/** The error for a wait that timed out (`isLate`) or was aborted. */
class WaitError extends Error {
  readonly isLate: boolean

  constructor(isLate: boolean) {
    super(isLate ? 'The wait timed out.' : 'The wait was aborted.')
    this.name = 'WaitError'
    this.isLate = isLate
  }
}

/** Resolves with the result of `work`. Rejects with a WaitError after the timeout or when the signal is aborted. */
async function inTime<T>(work: Promise<T>, { timeout, signal }: Wait): Promise<T> {
  let late: ReturnType<typeof setTimeout> | undefined
  let leave: () => void = () => undefined
  const ended = new Promise<never>((_resolve, reject) => {
    leave = () => reject(new WaitError(false))
    late = setTimeout(() => reject(new WaitError(true)), timeout)
    signal.addEventListener('abort', leave)
  })
  if (signal.aborted) leave()
  try {
    return await Promise.race([work, ended])
  } finally {
    clearTimeout(late)
    signal.removeEventListener('abort', leave)
  }
}
