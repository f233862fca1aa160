import { setImmediate } from 'node:timers/promises'
import type { Account } from '../../../src/domain/identity/account.js'
import { PlantedError } from '../describe-laws.js'
import { also, type Bug, bugOfCalls, bugOfPorts, bugOfStore, everybodyElse, type UntypedCall } from './bug.js'

const READS = /\.(?:find|page|list|search|holds|waiting|isRevoked)/

/** Bugs that a developer might make in any port. */
export const bugsOfEveryPort: readonly Bug[] = [
  bugOfStore('it is never ready', /store: an open/, () => ({
    ready: () => Promise.reject(new PlantedError('not yet')),
  })),
  bugOfStore('closing twice is an error', /store: a second close/, (store) => {
    let closed = false
    return {
      async close() {
        if (closed) throw new PlantedError('not open')
        closed = true
        await store.close()
      },
    }
  }),
  bugOfCalls(
    'a closed store throws the error of its driver',
    /is unavailable|a call in/,
    (call) =>
      async (...inputs) => {
        try {
          return await call(...inputs)
        } catch {
          throw new PlantedError('database is not open')
        }
      },
  ),
  bugOfCalls('an absent value is null', /a look-up|find returns undefined|changePassword changes/, (call) => {
    return async (...inputs) => (await call(...inputs)) ?? null
  }),
  bugOfCalls(
    'texts are normalised and lose their quotes',
    /are stored unchanged|a record is|similar ids|a job is returned|search finds emails/,
    (call) =>
      (...inputs) =>
        call(...inputs.map(normalised)),
  ),
  bugOfPorts('an account is returned to several callers without a copy', /later changes to/, () => {
    let kept: Account | undefined
    return { accounts: { find: (call) => async (id) => (kept ??= structuredClone(await call(id))) } }
  }),
  bugOfCalls(
    'only the first of several concurrent writes is made, and all callers get its result',
    /(?<!races )16 |concurrent (?:openWithLimit|insert of)|removing a role|two different requests|if 8 concurrent/,
    (call, name) => (READS.test(name) ? call : sharing(call)),
  ),
  bugOfCalls('ids decrease', /IDs increase and|has a unique/, (call, name) => async (...inputs) => {
    const answer = await call(...inputs)
    return name.endsWith('.insert') && hasId(answer) ? { ...answer, id: 1_000 - answer.id } : answer
  }),
  bugOfCalls(
    'pages have the reverse order',
    /pages list (?:all|every active|records|every record|the matching)|pages list every|search finds accounts|are listed in|every earlier account|by login time|in order(?: and in pages)?, and claims no|waiting lists due,/,
    (call, name) =>
      async (...inputs) => {
        const answer = await call(...inputs)
        return Array.isArray(answer) && READS.test(name) ? answer.toReversed() : answer
      },
  ),
  bugOfPorts(
    'a call that ends the sessions of an account also ends sessions that start shortly afterwards',
    /a login that starts/,
    ({ sessions }) => {
      const later = async (id: unknown) => {
        for (let turn = 0; turn < 20; turn += 1) await setImmediate()
        const page = await sessions.pageOf({ accountId: id as never, limit: 100, at: 0 })
        for (const session of page) await sessions.end(session.id)
      }
      return {
        accounts: {
          setPassword: also((_, id) => later(id)),
          changePassword: also((_, { id }) => later(id)),
          changeEmail: also((_, { id }) => later(id)),
          setDisabled: also((_, id) => later(id)),
        },
        proofs: { resetPassword: also((id) => (id === 'spent' ? undefined : later(id))) },
        sessions: { endAllOf: also((_, id) => later(id)), endOthers: also((_, id) => later(id)) },
      }
    },
  ),
]

function sharing(call: UntypedCall): UntypedCall {
  let shared: Promise<unknown> | undefined
  return async (...inputs) => {
    shared ??= everybodyElse().then(() => call(...inputs))
    try {
      return await shared
    } finally {
      shared = undefined
    }
  }
}

function hasId(answer: unknown): answer is { readonly id: number } {
  return typeof answer === 'object' && answer !== null && 'id' in answer && typeof answer.id === 'number'
}

function normalised(value: unknown): unknown {
  if (typeof value === 'string') return value.normalize('NFC').replaceAll(/["']/g, '')
  if (Array.isArray(value)) return value.map(normalised)
  if (typeof value !== 'object' || value === null || value instanceof AbortSignal) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, normalised(member)]))
}
