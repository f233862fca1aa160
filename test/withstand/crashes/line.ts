import type { Client, Reply } from '../../support/http/client.js'
import type { Gate } from './gate.js'
import { NotAllowed, type Journal } from './journal.js'

/** One client's way to the service, through all its deaths. */
export type Line = {
  /** Comes from an address of its own, so that no other client's attempts count for it. */
  readonly client: Client
  /** The reply, or `undefined` where it is unknown what became of the request: then only after all that was killed is back. */
  known(call: Promise<Reply>): Promise<Reply | undefined>
}

export type LineOptions = {
  /** The client of the service that lives now. */
  readonly live: () => Pick<Client, 'call'>
  readonly gate: Gate
  readonly journal: Journal
  readonly address: string
}

/** The service promises an answer within 5 s when its store is away; more is a hang, however slow the machine is. */
const HANG = 90_000

export function createLine({ live, gate, journal, address }: LineOptions): Line {
  return {
    client: {
      close: () => undefined,
      call: (method, path, call = {}) => {
        journal.operations += 1
        const headers = { ...call.headers, 'X-Forwarded-For': address }
        return inTime(journal, `${method} ${path}`, live().call(method, path, { ...call, headers }))
      },
    },
    known: async (call) => {
      const reply = await call.catch((error: unknown) => {
        if (error instanceof NotAllowed) throw error
        return undefined
      })
      if (reply && reply.status !== 503) return expected(journal, reply)
      await gate.passed()
      return undefined
    },
  }
}

async function inTime(journal: Journal, what: string, reply: Promise<Reply>): Promise<Reply> {
  let timer: NodeJS.Timeout | undefined
  const hang = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(notAllowed(journal, `${what} was not answered in ${String(HANG)} ms`))
    }, HANG)
  })
  try {
    return await Promise.race([reply, hang])
  } finally {
    clearTimeout(timer)
  }
}

function expected(journal: Journal, reply: Reply): Reply {
  if (reply.status >= 500) throw notAllowed(journal, `${String(reply.status)} ${reply.text}`)
  return reply
}

/** A reply that fits no history at all. */
export function notAllowed(journal: Journal, text: string): NotAllowed {
  journal.violations.push(text)
  return new NotAllowed(text)
}
