import {
  type AuditRecord,
  type AuditRecordId,
  isOfOwnClient,
  withoutClient,
} from '../../../src/domain/audit.js'
import { timePrefix } from '../../../src/domain/time-ordered-id.js'
import type { AuditLog, AuditPageRequest } from '../../../src/ports/audit-log.js'
import { type Breakage, breakageOf, COPIES, everybodyElse } from './breakage.js'
import type { AccountId } from '../../../src/domain/identity/account.js'

const broken = breakageOf('audit')
const LETTER = 'a record is kept to the letter, and what is absent stays absent'
const ORDER = 'records come in the order of their ids, in whatever order they were appended'
const WALK = 'pages walk over all records, also of one moment'
const ACCOUNT = 'a page of an account holds what it did and what was done to it, each record once'
const EVENT = 'a page of an event holds this event and no other'
const BOTH = 'a page of an account and an event holds what is of both, and nothing else takes a place on it'
const SINCE = 'a page begins at its moment exactly, and behind the record that it goes on after'
const GONE = 'a page goes on after a record that is gone'
const PURGE =
  'purge removes what is from before its moment, the oldest first, at most so much, and says how much'
const APPENDS = 'of 16 records appended at once none is lost, and each is there when its call is done'
const PURGES = 'of 16 purges of the log at once each record is counted once'
const ADDS = 'what is appended with the key of a record adds to its count, and changes nothing else'
const ADDITIONS = 'of 16 records of one key appended at once one is kept, and every count is in its sum'
const BACK = 'pages walk back where the newest come first, over whatever is asked for'
const BACK_SINCE =
  'a page that goes back ends at its moment exactly, and goes on behind a record that is gone'
const OWN =
  'forget takes the client from what the account did and what an unknown client did to it, and leaves the rest'
const OTHERS = 'forget leaves records of other clients as they are'
const MANY = 'forget is done for any number of records, and twice is harmless'
const KEYS = 'what is appended with the key of a record that was forgotten is a record of its own'
const RACE = 'of 16 who forget one account at once each record is told once, and none is lost'

export const brokenAuditLogs: readonly Breakage[] = [
  broken('texts are composed', [LETTER], (inner) => ({
    append: (record) => inner.append({ ...record, actor: record.actor.normalize() }),
  })),
  broken('records come in the order of a language', [ORDER, WALK, GONE], (inner) => ({
    async page(request) {
      const all = [...(await allOf(inner, request))]
      return cut(
        all.sort((one, other) => one.id.localeCompare(other.id)),
        request,
      )
    },
  })),
  broken('purge counts, then removes', [PURGES], (inner) => ({
    async purge(before, limit) {
      const end = timePrefix(before)
      const old = (await inner.page({ limit })).filter(({ id }) => id < end)
      await everybodyElse()
      await inner.purge(before, old.length)
      return old.length
    },
  })),
  broken('the last count is the count', [ADDS, ADDITIONS], (inner) => countingItself(inner, () => 0)),
  broken('the count is read, then written', [ADDITIONS], (inner) =>
    countingItself(inner, async (before) => {
      await everybodyElse()
      return before
    }),
  ),
  broken('the log is read, then written', [APPENDS], (inner) => {
    let listed: readonly AuditRecordId[] = []
    return {
      async append(record) {
        const before = listed
        await everybodyElse()
        listed = [...before, record.id]
        await inner.append(record)
      },
      page: async (request) => (await inner.page(request)).filter(({ id }) => listed.includes(id)),
    }
  }),
  broken('append does not wait for its write', [LETTER, APPENDS, ADDS, ADDITIONS, PURGES], (inner) => ({
    async append(record) {
      void everybodyElse().then(() => inner.append(record))
    },
  })),
  broken('pages know no limit', [WALK, ACCOUNT, EVENT, BOTH, SINCE], (inner) => ({
    page: (request) => inner.page({ ...request, limit: 1_000 }),
  })),
  broken('pages know one order', [BACK, BACK_SINCE], (inner) => ({
    page: ({ order: _, ...rest }) => inner.page(rest),
  })),
  broken('pages are of everybody', [ACCOUNT, BOTH], (inner) => ({
    page: ({ accountId: _, ...rest }) => inner.page(rest),
  })),
  broken('purge takes the moment along', [GONE, PURGE, PURGES], (inner) => ({
    purge: (before, limit) => inner.purge(before + 1, limit),
  })),
  broken('what is passed in is kept', [COPIES], (inner) => {
    const passedIn: AuditRecord[] = []
    return {
      async append(record) {
        passedIn.push(record)
        await inner.append(record)
      },
      page: async (request) =>
        (await inner.page(request)).map(
          (one, index) => passedIn.find(({ id }) => id === one.id) ?? passedIn[index]!,
        ),
    }
  }),
  broken('forget does nothing', [OWN, MANY, KEYS, RACE], () => ({ forget: async () => 0 })),
  broken('forget takes all records of the account', [OTHERS], () =>
    onRecords((record, accountId) => (record.accounts.includes(accountId) ? withoutClient(record) : record)),
  ),
  broken('forget looks, then counts', [RACE], () => onRecords(ownOnly, everybodyElse)),
]

async function allOf(inner: AuditLog, request: AuditPageRequest): Promise<readonly AuditRecord[]> {
  const { after: _, ...rest } = request
  return await inner.page({ ...rest, limit: 1_000 })
}

/** From behind the record that is named, from the beginning where there is none. */
function cut(records: readonly AuditRecord[], { after, limit }: AuditPageRequest): readonly AuditRecord[] {
  const start = records.findIndex(({ id }) => id === after) + 1
  return records.slice(start, start + limit)
}

/** Keeps the counts itself, each added to what `base` makes of the one before it. */
function countingItself(
  inner: AuditLog,
  base: (before: number) => number | Promise<number>,
): Pick<AuditLog, 'append' | 'page'> {
  const counts = new Map<string, number>()
  return {
    append: async (record) => {
      const { count = 0, countKey } = record
      if (countKey !== undefined) counts.set(countKey, (await base(counts.get(countKey) ?? 0)) + count)
      await inner.append(record)
    },
    page: async (request) =>
      (await inner.page(request)).map((one) => {
        const count = counts.get(one.countKey ?? '')
        return count === undefined ? one : { ...one, count }
      }),
  }
}

function ownOnly(record: AuditRecord, accountId: AccountId): AuditRecord {
  return isOfOwnClient(record, accountId) ? withoutClient(record) : record
}

/** A log on a map, which changes its records as it is told, with something between the look and the writes. */
function onRecords(
  change: (record: AuditRecord, accountId: AccountId) => AuditRecord,
  between: () => unknown = () => undefined,
): Partial<AuditLog> {
  const records = new Map<AuditRecordId, AuditRecord>()
  return {
    async append(record) {
      const known = [...records.values()].find(({ countKey }) => countKey && countKey === record.countKey)
      if (known) records.set(known.id, { ...known, count: (known.count ?? 0) + (record.count ?? 0) })
      else records.set(record.id, record)
    },
    page: async ({ accountId }) =>
      [...records.values()].filter(({ accounts }) => accountId === undefined || accounts.includes(accountId)),
    async forget(accountId) {
      const before = [...records.values()]
      await between()
      const changed = before.filter((record) => {
        const after = change(record, accountId)
        records.set(record.id, after)
        return Object.keys(after).length < Object.keys(record).length
      })
      return changed.length
    },
  }
}
