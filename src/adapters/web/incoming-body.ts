import type { Milliseconds } from '../../domain/instant.js'

export type Chunks = ReadableStream<Uint8Array<ArrayBuffer>>
export type Reader = ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>

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
export function drainOnCancel(body: Chunks | null, timeout: Milliseconds): Chunks {
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

/** The timeout and the abort signal for a wait. */
export type Wait = { readonly timeout: Milliseconds; readonly signal: AbortSignal }

/** The error for a wait that timed out (`isLate`) or was aborted. */
export class WaitError extends Error {
  readonly isLate: boolean

  constructor(isLate: boolean) {
    super(isLate ? 'The wait timed out.' : 'The wait was aborted.')
    this.name = 'WaitError'
    this.isLate = isLate
  }
}

/** Resolves with the result of `work`. Rejects with a WaitError after the timeout or when the signal is aborted. */
export async function inTime<T>(work: Promise<T>, { timeout, signal }: Wait): Promise<T> {
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
