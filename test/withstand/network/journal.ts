import { isDeepStrictEqual } from 'node:util'
import type { Reply } from '../../support/http/client.js'
import { UNAVAILABLE } from '../../support/http/expected.js'
import { PET_UNAVAILABLE, refusedForNow } from '../../mongodb-faults/real-service.js'

/** What the clients of one round have done, and what of it was not allowed. */
export type Journal = {
  /**
   * Sends a request. The reply, or nothing where it is the documented 503: then it may have been done or not, or
   * may still be done. Whatever else a failing store may come to is not allowed.
   */
  ask(client: string, what: string, send: () => Promise<Reply>): Promise<Reply | undefined>
  /** Of something that befell the network. */
  note(what: string): void
  /** A text with what this client has done until now. */
  violate(client: string, what: string): void
  readonly operations: () => number
  readonly violations: readonly string[]
}

/** Several calls of the store may be in one request, each with a timeout of its own; the machine may be busy. */
const REPLY_BOUND = 30_000
const SHOWN = 40

export function createJournal(): Journal {
  const lines: { readonly client: string; readonly text: string }[] = []
  const violations: string[] = []
  let operations = 0

  function write(client: string, text: string): void {
    lines.push({ client, text: `${String(Math.round(performance.now()))} ${client}: ${text}` })
  }

  function violate(client: string, what: string): void {
    write(client, `NOT ALLOWED: ${what}`)
    const own = lines.filter((line) => line.client === client || line.client === NETWORK)
    violations.push([what, ...own.slice(-SHOWN).map(({ text }) => `  ${text}`)].join('\n'))
  }

  async function ask(client: string, what: string, send: () => Promise<Reply>): Promise<Reply | undefined> {
    operations += 1
    write(client, what)
    try {
      const reply = await inTime(send())
      write(client, `${what}: ${String(reply.status)}`)
      if (reply.status < 500) return reply
      if (!isRefusal(reply))
        violate(client, `${what} was answered with ${String(reply.status)} ${reply.text}`)
    } catch (error) {
      violate(client, `${what} had no reply that is described: ${String(error)}`)
    }
    return undefined
  }

  return {
    ask,
    note: (what) => write(NETWORK, what),
    violate,
    operations: () => operations,
    violations,
  }
}

const NETWORK = 'network'

function isRefusal(reply: Reply): boolean {
  const refused = refusedForNow(reply)
  return isDeepStrictEqual(refused, UNAVAILABLE) || isDeepStrictEqual(refused, PET_UNAVAILABLE)
}

async function inTime(reply: Promise<Reply>): Promise<Reply> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('it hangs')), REPLY_BOUND)
  })
  return await Promise.race([reply, late]).finally(() => clearTimeout(timer))
}
