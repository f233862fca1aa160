import type { Milliseconds } from '../../domain/instant.js'

/** The bytes of a body in the pieces in which they come. */
export type Chunks = ReadableStream<Uint8Array<ArrayBuffer>>
export type Reader = ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>

/** A body, and what its request says of it. */
export type Arriving = {
  readonly headers: Headers
  /** Aborted when the client hangs up. */
  readonly signal: AbortSignal
  readonly hasBody: boolean
  /** Taken when it is to be read, and not before: one that was not begun is the platform's to throw away. */
  readonly body: () => Chunks | null
  /** The request is answered: what was begun of the body and has not been read is thrown away. */
  readonly leave: () => void
}

/**
 * What arrives with a request. Of HTTP/1 the headers tell whether there is a body; where they say nothing, as HTTP/2 and
 * requests that a program has made may leave it, its first piece is waited for.
 */
export async function arrivingOf(request: Request, timeout: Milliseconds): Promise<Arriving> {
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
  'The body of a request was read before the request came to Kennel: its handler has to come before what reads bodies.'

/** `null` where it ends before it has begun. */
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
 * A body that is left in the middle is read on and thrown away, for as long as it might have taken: a connection that
 * is closed on unread bytes is reset, and the client would not see its answer.
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
    // What has just broken off cannot be cancelled.
    reader.cancel().catch(() => undefined)
  }, timeout)
  try {
    while (!(await reader.read()).done);
  } catch {
    // It has broken off.
  } finally {
    clearTimeout(late)
  }
}

/** For how long something may take, and who may give it up. */
export type Wait = { readonly timeout: Milliseconds; readonly signal: AbortSignal }

/** Why something was waited for in vain. */
export class WaitError extends Error {
  readonly isLate: boolean

  constructor(isLate: boolean) {
    super(isLate ? 'It took too long.' : 'It was given up.')
    this.name = 'WaitError'
    this.isLate = isLate
  }
}

/** Rejects with a WaitError where it does not come in time or the client has gone. */
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
