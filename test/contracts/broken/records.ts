import { aSession } from '../../../src/contracts/samples.js'
import type { Account } from '../../../src/domain/identity/account.js'
import type { RecordKind, RecordOf, Records } from '../../../src/ports/records.js'
import { everybodyElse } from './breakage.js'

const WHOLE = 'what is put is what is read, of every kind, and what was read can be put again'
const REMOVED = 'what is removed is gone, in the order opposite to putting it, and twice is harmless'
const SERVES = 'what was put serves every other port as before'
const LOGINS = 'a login that was put goes on from its current pair, and a spent one is still a replay'
const GONE = 'of an account that was removed no session is kept, nor one in which it acted'
const REMOVED_PET =
  'a pet that was removed before stays so, and neither its id nor its idempotency key is free'
const REVOKED = 'a revocation that was put holds until the same end'
const PEOPLE = 'a reset token and a session with an actor that were put are good as before'
const DEAD = 'a session that is put after its actor has moved on is dead'
const SEARCHED = 'accounts that were put are found by every search'
const MAILS =
  'a mail that was put leaves at once, whichever worker had it and whatever it waited for, and keeps its attempts'
const AUDITED = 'an audit record that was put is on the pages that it was on'
const CONTRADICTED = 'a record that contradicts another is told'
const CLOSED = 'every call after close is unavailable'
const PAGES = 'a page begins after the record that is named, in one order, to the last'
const IDS = 'ids go on after the last one that was ever given out'
const FACTOR = 'a second factor that was put is asked for as before, and accepts no code again'
const COUNTERS = 'a counter never goes back'
const TOKEN = 'the change token stays while nothing is written, and moves with every write'
const IDENTITY = 'a store has one identity'
const CLAIMS = 'an empty store is begun once, and resumed by the same source only'
const OCCUPIED = 'a store that holds data is occupied'

export const brokenRecords: readonly RecordBreakage[] = [
  {
    name: 'a kind is left out of the pages',
    breaks: [WHOLE, REMOVED, PAGES],
    alter: (inner) => ({
      page: async (kind, after, limit) => (kind === 'project' ? [] : await inner.page(kind, after, limit)),
    }),
  },
  {
    name: 'idempotency keys are left behind',
    breaks: [REMOVED_PET],
    alter: (inner) => ({
      put: async (kind, records) => (kind === 'idempotencyKey' ? 'put' : await inner.put(kind, records)),
    }),
  },
  {
    name: 'roles of accounts are left behind',
    breaks: [SERVES, SEARCHED],
    alter: (inner) => ({
      put: async (kind, records) => {
        if (kind !== 'account') return await inner.put(kind, records)
        const bare = ofKind('account', records).map((one) => ({ ...one, roles: [] }))
        return await inner.put('account', bare)
      },
    }),
  },
  {
    name: 'second factors of accounts are left behind',
    breaks: [FACTOR],
    alter: (inner) => ({
      put: async (kind, records) => {
        if (kind !== 'account') return await inner.put(kind, records)
        const bare = ofKind('account', records).map(({ factor: _, ...rest }) => rest)
        return await inner.put('account', bare)
      },
    }),
  },
  {
    name: 'the actors of sessions are left behind',
    breaks: [WHOLE, PEOPLE, DEAD],
    alter: (inner) => ({
      put: async (kind, records) => {
        if (kind !== 'session') return await inner.put(kind, records)
        const alone = ofKind('session', records).map(({ actor: _, ...rest }) => rest)
        return await inner.put('session', alone)
      },
    }),
  },
  {
    name: 'sessions that have ended are among them',
    breaks: [GONE],
    alter: (inner) => ({
      page: async (kind, after, limit) => {
        const found = await inner.page(kind, after, limit)
        const ended = { ...aSession({ id: 1, epoch: 1 } as Account, 'ended') } as RecordOf[typeof kind]
        return kind === 'session' && after === undefined ? [ended, ...found] : found
      },
    }),
  },
  {
    name: 'revocations are left behind',
    breaks: [REVOKED, LOGINS],
    alter: (inner) => ({
      put: async (kind, records) => (kind === 'revocation' ? 'put' : await inner.put(kind, records)),
    }),
  },
  {
    name: 'mails that wait are left behind',
    breaks: [MAILS],
    alter: (inner) => ({
      put: async (kind, records) => (kind === 'mailJob' ? 'put' : await inner.put(kind, records)),
    }),
  },
  {
    name: 'the audit log is left behind',
    breaks: [AUDITED],
    alter: (inner) => ({
      put: async (kind, records) => (kind === 'auditRecord' ? 'put' : await inner.put(kind, records)),
    }),
  },
  {
    name: 'a contradiction is kept to itself',
    breaks: [CONTRADICTED],
    alter: (inner) => ({
      put: async (kind, records) => {
        await inner.put(kind, records)
        return 'put'
      },
    }),
  },
  {
    name: 'a claim is remembered, not asked for',
    breaks: [CLOSED],
    alter: () => ({ claim: async () => 'begun' }),
  },
  {
    name: 'counters are left behind',
    breaks: [IDS, COUNTERS],
    alter: (inner) => ({
      put: async (kind, records) => (kind === 'counter' ? 'put' : await inner.put(kind, records)),
    }),
  },
  {
    name: 'the change token never moves',
    breaks: [TOKEN],
    alter: (inner) => ({
      changeToken: async () => (await inner.changeToken()).slice(0, 0),
    }),
  },
  {
    name: 'the store does not know itself',
    breaks: [IDENTITY],
    alter: (inner) => ({ claim: (source) => inner.claim(`source ${source}`) }),
  },
  {
    name: 'the mark is looked at, then written',
    breaks: [CLAIMS],
    alter: (inner) => {
      let source: string | undefined
      return {
        async claim(asking) {
          const before = source
          await everybodyElse()
          source ??= asking
          if (before === undefined) return 'begun'
          return before === asking ? 'resumed' : await inner.claim(asking)
        },
      }
    },
  },
  {
    name: 'the check whether the store is empty is missing',
    breaks: [OCCUPIED],
    alter: (inner) => ({
      async claim(source) {
        const claim = await inner.claim(source)
        return claim === 'occupied' ? 'begun' : claim
      },
    }),
  },
]

/** Records that are wrong in one way, and the laws that must notice. */
export type RecordBreakage = {
  readonly name: string
  readonly breaks: readonly string[]
  alter(inner: Records): Partial<Records>
}

/** The kind tells the type of the records, which the compiler does not see. */
function ofKind<Kind extends RecordKind>(_kind: Kind, records: readonly unknown[]) {
  return records as readonly RecordOf[Kind][]
}
