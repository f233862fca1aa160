import type { Request } from 'autocannon'
import { send } from './replies.js'

/** Milliseconds between two looks at the clock. */
const TICK = 5
/** The least share of the requests that must have been sent in time. */
const ENOUGH = 0.9

/**
 * Sends each request once, evenly spread over these seconds. Call the result at the end: it rejects if a request was not
 * successful, or if too few could be sent.
 */
export function sendEvenly(
  address: string,
  requests: readonly Request[],
  seconds: number,
): () => Promise<void> {
  const begun = performance.now()
  const sent: Promise<Error | undefined>[] = []
  const timer = setInterval(() => {
    const due = Math.ceil((requests.length * (performance.now() - begun)) / (1000 * seconds))
    for (const request of requests.slice(sent.length, due)) sent.push(write(address, request))
  }, TICK)
  return async () => {
    clearInterval(timer)
    const failed = (await Promise.all(sent)).find((error) => error !== undefined)
    if (failed) throw failed
    if (sent.length < ENOUGH * requests.length)
      throw new Error(`only ${sent.length} of ${requests.length} writes were sent in time`)
  }
}

/** Resolves with the error, which is thrown at the end. */
async function write(address: string, request: Request): Promise<Error | undefined> {
  try {
    const { status, body } = await send(address, request)
    return status < 300 ? undefined : new Error(`a write was answered with ${status}: ${body}`)
  } catch (error) {
    return new Error('a write was not answered', { cause: error })
  }
}
