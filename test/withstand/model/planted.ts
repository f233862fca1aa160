import type { Mode } from '../../../src/application/use-cases.js'
import type { TraitsChange } from '../../../src/domain/catalogue/traits.js'
import type { Accounts } from '../../../src/ports/accounts.js'
import type { Store } from '../../../src/ports/store.js'

/** A bug in a store: what is wrong, and the store that has it. */
type Plant = {
  readonly wrong: string
  readonly plant: (store: Store) => Store
  /** The mode in which it shows. */
  readonly mode: Mode
}

type Ports = Omit<Store, 'ready' | 'close'>

/** Calls of one port in the place of its own. */
function plantIn<Port extends keyof Ports>(
  port: Port,
  wrong: string,
  alter: (inner: Store[Port], store: Store) => Partial<Store[Port]>,
): Plant {
  const plant = (store: Store) => ({ ...store, [port]: { ...store[port], ...alter(store[port], store) } })
  return { wrong, plant, mode: port === 'revocations' ? 'stateless-revocable' : 'stateful' }
}

/** What they are found by is the model alone: none breaks a call, all answer in the form of a right one. */
export const PLANTS: Readonly<Record<string, Plant>> = {
  'logout-not-done': plantIn('sessions', 'a logout says that the session has ended, and it goes on', () => ({
    end: async () => 'ended',
  })),
  'logout-delayed': plantIn('sessions', 'a logout takes effect three reads later', (inner) => {
    const due: { reads: number; end: () => Promise<unknown> }[] = []
    const read = async <T>(look: () => Promise<T>): Promise<T> => {
      for (const one of due) one.reads -= 1
      while (due[0] && due[0].reads < 0) await due.shift()!.end()
      return await look()
    }
    return {
      end: async (id) => {
        due.push({ reads: 3, end: () => inner.end(id) })
        return 'ended'
      },
      find: (digest, at) => read(() => inner.find(digest, at)),
      findById: (id, at) => read(() => inner.findById(id, at)),
    }
  }),
  'old-generation-refreshes': plantIn('sessions', 'a spent refresh token moves the session on', (inner) => ({
    rotate: async (request) => {
      const current = request.found?.current.pairId
      return await inner.rotate(current === undefined ? request : { ...request, from: current })
    },
  })),
  'replay-ends-nothing': plantIn(
    'sessions',
    'a replayed refresh token is refused, its session goes on',
    (inner) => ({
      rotate: async (request) => {
        const { session } = (await inner.findById(request.sessionId, request.at)) ?? {}
        const answer = await inner.rotate(request)
        if (answer.kind === 'replayed' && session) await inner.open(session)
        return answer
      },
    }),
  ),
  'window-a-moment-longer': plantIn('sessions', 'the grace window ends a millisecond late', (inner) => ({
    rotate: (request) => inner.rotate({ ...request, grace: request.grace > 0 ? request.grace + 1 : 0 }),
  })),
  'others-not-ended': plantIn('sessions', 'other sessions are said to have ended, and go on', (inner) => ({
    endOthers: async (accountId, keep, at) => {
      const page = await inner.pageOf({ accountId, at, limit: 1000 })
      return page.filter(({ id }) => id !== keep).length
    },
  })),
  'any-session-ended': plantIn('sessions', 'one can end the sessions of other accounts', (inner) => ({
    endOne: (_, id) => inner.end(id),
  })),
  'page-of-sessions-without-its-last': plantIn(
    'sessions',
    'a list of sessions leaves its last one out',
    (inner) => ({
      pageOf: async (request) => (await inner.pageOf(request)).slice(0, -1),
    }),
  ),
  'account-not-deleted': plantIn(
    'accounts',
    'a deletion ends the logins of the account, which stays',
    (_, { sessions }) => ({
      remove: async (id) => ((await sessions.endAllOf(id)) === undefined ? 'unknown' : 'removed'),
    }),
  ),
  'disabled-logs-in': plantIn('accounts', 'a disabled account can log in', (inner) => ({
    findByEmail: async (email) => enabled(await inner.findByEmail(email)),
  })),
  'reset-token-twice': plantIn('accounts', 'a reset token works a second time', resetTwice),
  'limit-one-more': plantIn('attempts', 'one attempt more than the limit is let through', (inner) => ({
    take: (counts, at) =>
      inner.take(
        counts.map(({ name, limit }) => ({ name, limit: { ...limit, count: limit.count + 1 } })),
        at,
      ),
  })),
  'idempotency-forgotten': plantIn(
    'pets',
    'an idempotency key is forgotten when a pet is removed',
    (inner) => {
      let removals = 0
      return {
        remove: async (...given) => {
          removals += 1
          return await inner.remove(...given)
        },
        insert: (draft, idempotency) =>
          inner.insert(draft, idempotency && { ...idempotency, key: `${idempotency.key}/${removals}` }),
      }
    },
  ),
  'stale-tag-accepted': plantIn('pets', 'a change is made whatever revision it expects', (inner) => ({
    patch: (id, change) => inner.patch(id, change),
  })),
  'null-changes-nothing': plantIn('pets', 'a trait is not taken away by null', (inner) => ({
    patch: (id, change, ...rest) => inner.patch(id, withoutNulls(change), ...rest),
  })),
  'pets-as-asked-for': plantIn('pets', 'a pet is shown as often as its id is asked for', (inner) => ({
    findMany: async (ids) => {
      const found = await inner.findMany(ids)
      return ids.flatMap((id) => found.filter((pet) => pet.id === id))
    },
  })),
  'page-without-its-first': plantIn('pets', 'a page after the first one begins a pet too late', (inner) => ({
    page: (after, limit) => inner.page(after === undefined ? after : ((after + 1) as typeof after), limit),
  })),
  'revocation-not-done': plantIn('revocations', 'a logout without sessions revokes nothing', () => ({
    revoke: async () => 'revoked',
  })),
}

function withoutNulls({ kind, ...change }: TraitsChange): TraitsChange {
  const kept = Object.entries(change).filter(([, trait]) => trait !== null)
  return { kind, ...Object.fromEntries(kept) }
}

type Found = Awaited<ReturnType<Accounts['findByEmail']>>

function enabled(account: Found): Found {
  if (!account) return undefined
  const { disabledAt: _, ...rest } = account
  return rest
}

/** Of a token that was consumed once it is remembered whose it was. */
function resetTwice(inner: Accounts): Partial<Accounts> {
  const consumed = new Set<string>()
  return {
    holdsResetToken: async (email, digest, at) =>
      consumed.has(digest) || (await inner.holdsResetToken(email, digest, at)),
    consumeResetToken: async (input) => {
      const id = await inner.consumeResetToken(input)
      if (id !== undefined) consumed.add(input.digest)
      if (id !== undefined || !consumed.has(input.digest)) return id
      const account = await inner.findByEmail(input.email)
      if (account) await inner.setPassword(account.id, input.hash)
      return account?.id
    },
  }
}
