import type { Milliseconds } from '../../domain/instant.js'

export type Chunks = ReadableStream<Uint8Array<ArrayBuffer>>
export type Reader = ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>

/** The body of a request with the headers that describe it. */
export type IncomingBody = {
  readonly headers: Headers
  /** Aborts when the client hangs up. */
  readonly signal: AbortSignal
  readonly hasBody: boolean
  /** Call it only to read the body: the platform discards a body that nothing has begun to read. */
  readonly body: () => Chunks | null
  /** Call it after the reply: discards the rest of a body that was begun. */
  readonly leave: () => void
}

/**
 * The headers of an HTTP/1 request announce its body. Requests of HTTP/2 or of a program may have a body without such
 * headers: then this waits for the first chunk.
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
  const first = unannounced && (await begun(unannounced, { signal: request.signal, timeout }))
  const leave = () => {
    if (first?.locked === false) void discard(first.getReader(), timeout)
  }
  return { ...signalled, hasBody: first !== null, body: () => first, leave }
}

const ALREADY_READ =
  'The body of a request was read before the request came to Kennel: its handler has to come before any code that reads bodies.'

/** `null` for an empty body. */
async function begun(body: Chunks, wait: Wait): Promise<Chunks | null> {
  const reader = body.getReader()
  const first = reader.read()
  const isEmpty = inTime(first, wait).then(
    ({ done }) => done,
    () => false,
  )
  return (await isEmpty) ? null : passedOn(reader, () => reader.cancel(), first)
}

/**
 * A body whose rest is read and discarded, for at most the timeout, if the reader cancels: closing a connection with
 * unread bytes resets it, and the client loses the reply.
 */
export function leavable(body: Chunks | null, timeout: Milliseconds): Chunks {
  const reader = (body ?? (new Blob([]).stream() as Chunks)).getReader()
  return passedOn(reader, () => {
    void discard(reader, timeout)
    return Promise.resolve()
  })
}

type First = ReturnType<Reader['read']>

function passedOn(reader: Reader, cancel: () => Promise<void>, first?: First): Chunks {
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
    // Fails if the body has just broken off.
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

/** The limits of a wait. */
export type Wait = { readonly timeout: Milliseconds; readonly signal: AbortSignal }

/** A wait that ended without a result, because of its timeout (`isLate`) or its signal. */
export class WaitError extends Error {
  readonly isLate: boolean

  constructor(isLate: boolean) {
    super(isLate ? 'It took too long.' : 'It was given up.')
    this.name = 'WaitError'
    this.isLate = isLate
  }
}

/** The result of the work. Rejects with a WaitError after the timeout, or when the signal aborts. */
export async function inTime<T>(work: Promise<T>, { timeout, signal }: Wait): Promise<T> {
  let late: ReturnType<typeof setTimeout> | undefined
  let leave: () => void = () => undefined
  const ended = new Promise<never>((_resolve, reject) => {
    leave = () => {
      reject(new WaitError(false))
    }
    late = setTimeout(() => {
      reject(new WaitError(true))
    }, timeout)
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
