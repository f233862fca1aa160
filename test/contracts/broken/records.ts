import { aSession } from '../../../src/contracts/samples.js'
import type { Account } from '../../../src/domain/identity/account.js'
import type { RecordKind, RecordOf, Records } from '../../../src/ports/records.js'
import { everybodyElse } from './breakage.js'

const WHOLE = 'what is put is what is read, of every kind, and what was read can be put again'
const REMOVED = 'what is removed is gone, in the order opposite to putting it, and twice is harmless'
const SHARED =
  'accounts that share a canonical email are each found by their own email, and no third account is made'
const SHARED_RESET = 'a reset token of an account that shares its canonical email resets that account'
const LAST_SHARING = 'the last account that shared a canonical email is found by it'
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

/** Records that are wrong in one way, and the laws that must notice. */
export type RecordBreakage = {
  readonly name: string
  readonly breaks: readonly string[]
  alter(inner: Records): Partial<Records>
}

export const brokenRecords: readonly RecordBreakage[] = [
  broken('a kind is left out of the pages', [WHOLE, REMOVED, PAGES], (inner) => ({
    page: async (kind, after, limit) => (kind === 'project' ? [] : await inner.page(kind, after, limit)),
  })),
  broken('sessions that have ended are among them', [GONE], (inner) => ({
    page: async (kind, after, limit) => {
      const found = await inner.page(kind, after, limit)
      const ended = { ...aSession({ id: 1, epoch: 1 } as Account, 'ended') } as RecordOf[typeof kind]
      return kind === 'session' && after === undefined ? [ended, ...found] : found
    },
  })),
  broken('roles of accounts are left behind', [SERVES, SEARCHED], (inner) =>
    putting(inner, 'account', (one) => ({ ...one, roles: [] })),
  ),
  broken('second factors of accounts are left behind', [FACTOR], (inner) =>
    putting(inner, 'account', ({ factor: _, ...rest }) => rest),
  ),
  broken('the emails that accounts share are left behind', [SHARED, SHARED_RESET, LAST_SHARING], (inner) =>
    putting(inner, 'account', ({ sharedEmail: _, ...rest }) => rest),
  ),
  broken('the actors of sessions are left behind', [WHOLE, PEOPLE, DEAD], (inner) =>
    putting(inner, 'session', ({ actor: _, ...rest }) => rest),
  ),
  broken('idempotency keys are left behind', [REMOVED_PET], (inner) => puttingNo(inner, 'idempotencyKey')),
  broken('revocations are left behind', [REVOKED, LOGINS], (inner) => puttingNo(inner, 'revocation')),
  broken('mails that wait are left behind', [MAILS], (inner) => puttingNo(inner, 'mailJob')),
  broken('the audit log is left behind', [AUDITED], (inner) => puttingNo(inner, 'auditRecord')),
  broken('counters are left behind', [IDS, COUNTERS], (inner) => puttingNo(inner, 'counter')),
  broken('a contradiction is kept to itself', [CONTRADICTED], (inner) => ({
    put: async (kind, records) => {
      await inner.put(kind, records)
      return 'put'
    },
  })),
  broken('a claim is remembered, not asked for', [CLOSED], () => ({ claim: async () => 'begun' })),
  broken('the change token never moves', [TOKEN], (inner) => ({
    changeToken: async () => (await inner.changeToken()).slice(0, 0),
  })),
  broken('the store does not know itself', [IDENTITY], (inner) => ({
    claim: (source) => inner.claim(`source ${source}`),
  })),
  broken('the mark is looked at, then written', [CLAIMS], (inner) => {
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
  }),
  broken('the check whether the store is empty is missing', [OCCUPIED], (inner) => ({
    async claim(source) {
      const claim = await inner.claim(source)
      return claim === 'occupied' ? 'begun' : claim
    },
  })),
]

function broken(name: string, breaks: readonly string[], alter: RecordBreakage['alter']): RecordBreakage {
  return { name, breaks, alter }
}

/** Puts the records of one kind as `change` returns them. */
function putting<Changed extends RecordKind>(
  inner: Records,
  changed: Changed,
  change: (record: RecordOf[Changed]) => RecordOf[Changed],
): Partial<Records> {
  return {
    async put(kind, records) {
      const given: RecordKind = kind
      if (given !== changed) return await inner.put(kind, records)
      const before = records as readonly unknown[] as readonly RecordOf[Changed][]
      return await inner.put(changed, before.map(change))
    },
  }
}

/** Drops the records of one kind, and answers that they were put. */
function puttingNo(inner: Records, dropped: RecordKind): Partial<Records> {
  return { put: async (kind, records) => (kind === dropped ? 'put' : await inner.put(kind, records)) }
}
