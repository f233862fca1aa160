import { isDeepStrictEqual } from 'node:util'
import { setTimeout as pause } from 'node:timers/promises'
import { PET_UNAVAILABLE, refusedForNow } from '../mongodb-faults/real-service.js'
import type { Reply } from '../support/http/client.js'
import { UNAVAILABLE } from '../support/http/browser.js'

export type Journal = ReturnType<typeof createJournal>

/** The record of one client, which sends one request at a time. */
export type Actor = {
  readonly name: string
  /** Repeats a request until its outcome is known. */
  insist(what: string, send: () => Promise<Reply>): Promise<Answer>
  /** Records a violation and throws, because the client no longer knows the state of its data. */
  violate(what: string): never
}

export type Answer = {
  readonly reply: Reply
  /** Whether an earlier attempt at this request may have succeeded. */
  readonly repeated: boolean
}

export class NotAllowed extends Error {}

type JournalOptions = {
  /** Whether a connection may break without a reply; false if no fault kills the service. */
  readonly mayBreak: boolean
}

const PAUSE = 20
/** The service promises a reply within seconds, and recovers after every fault. */
const LONGEST_REPLY = 60_000
const LONGEST_FAULT = 180_000
const SHOWN = 30

export function createJournal({ mayBreak }: JournalOptions) {
  const record = {
    /** The number of requests with a known outcome. */
    answered: 0,
    /** Attempts without a reply, or with the documented 503 or 408, after which it is unknown whether the request took effect. */
    unknown: 0,
    /** The number of records that were read back at the end. */
    checked: 0,
    violations: [] as string[],
  }
  const lines: { readonly from: string; readonly text: string }[] = []
  const last = new Map<string, string>()
  /** Writes repeated lines only once. */
  const write = (from: string, text: string) => {
    if (last.get(from) === text) return
    last.set(from, text)
    lines.push({ from, text: `${performance.now().toFixed(0)} ${from}: ${text}` })
  }
  const violate = (name: string, what: string): never => {
    write(name, `NOT ALLOWED: ${what}`)
    const own = lines.filter(({ from }) => from === name || from === FAULTS)
    record.violations.push(
      own
        .slice(-SHOWN)
        .map(({ text }) => text)
        .join('\n'),
    )
    throw new NotAllowed(what)
  }

  /** `undefined` if the outcome is unknown. */
  async function attempt(name: string, what: string, send: () => Promise<Reply>): Promise<Reply | undefined> {
    const reply = await inTime(send()).catch((error: unknown) => String(error))
    const isReply = typeof reply !== 'string'
    write(name, `${what}: ${isReply ? String(reply.status) : reply}`)
    if (!isReply) return mayBreak && reply !== HANGS ? undefined : violate(name, reply)
    // On a busy machine, a request can arrive so slowly that the service replies with 408.
    if (reply.status === 408) return undefined
    if (reply.status < 500) return reply
    return isRefusal(reply) ? undefined : violate(name, told(reply))
  }

  async function insist(name: string, what: string, send: () => Promise<Reply>): Promise<Answer> {
    const begun = performance.now()
    for (let repeated = false; ; repeated = true) {
      const reply = await attempt(name, what, send)
      record[reply ? 'answered' : 'unknown'] += 1
      if (reply) return { reply, repeated }
      if (performance.now() - begun > LONGEST_FAULT) violate(name, 'the service does not come back')
      await pause(PAUSE)
    }
  }

  return Object.assign(record, {
    note: (text: string) => write(FAULTS, text),
    actor: (name: string): Actor => ({
      name,
      insist: (what, send) => insist(name, what, send),
      violate: (what) => violate(name, what),
    }),
  })
}

const FAULTS = 'fault'
const HANGS = 'Error: no reply in a minute'

export function told({ status, text }: Reply): string {
  return `${String(status)} ${text.slice(0, 300)}`
}

function isRefusal(reply: Reply): boolean {
  const refused = refusedForNow(reply)
  return isDeepStrictEqual(refused, UNAVAILABLE) || isDeepStrictEqual(refused, PET_UNAVAILABLE)
}

/** Rejects if there is no reply within a minute. */
export async function inTime<Answer>(reply: Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(reject, LONGEST_REPLY, new Error('no reply in a minute'))
  })
  return await Promise.race([reply, late]).finally(() => {
    clearTimeout(timer)
  })
}
