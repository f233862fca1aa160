import type { Request } from './requests.js'

/** The interval at which due writes are sent, in milliseconds. */
const TICK = 5

/** The elapsed time in seconds, and the time within which all requests are sent. */
export type Pace = { readonly passed: () => number; readonly seconds: number }

/**
 * Sends each request once, spread evenly over a time. Call the returned function at the end: it rejects if a request was not successful.
 */
export function sendEvenly(
  address: string,
  requests: readonly Request[],
  { passed, seconds }: Pace,
): () => Promise<void> {
  const sent: Promise<Error | undefined>[] = []
  const timer = setInterval(() => {
    const due = Math.ceil((requests.length * passed()) / seconds)
    for (const request of requests.slice(sent.length, due)) sent.push(write(address, request))
  }, TICK)
  return async () => {
    clearInterval(timer)
    const failed = (await Promise.all(sent)).find((error) => error !== undefined)
    if (failed) throw failed
  }
}

/** Returns an error instead of throwing it, so that the other writes continue. */
async function write(address: string, { path, ...request }: Request): Promise<Error | undefined> {
  try {
    const reply = await fetch(address + path, request)
    const body = await reply.text()
    return reply.ok ? undefined : new Error(`a write was answered with ${reply.status}: ${body}`)
  } catch (error) {
    return new Error('a write was not answered', { cause: error })
  }
}
