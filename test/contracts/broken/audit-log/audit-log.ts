import type { AuditRecord, AuditRecordId } from '../../../../src/domain/audit.js'
import type { AccountId } from '../../../../src/domain/identity/account.js'
import { timePrefix } from '../../../../src/domain/time-ordered-id.js'
import type { AuditLog, AuditPageRequest } from '../../../../src/ports/audit-log.js'
import { type Breakage, breakageOf, COPIES, everybodyElse } from '../breakage.js'

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

const EVERY = [
  LETTER,
  ORDER,
  WALK,
  ACCOUNT,
  EVENT,
  BOTH,
  SINCE,
  GONE,
  PURGE,
  APPENDS,
  ADDS,
  ADDITIONS,
  PURGES,
  COPIES,
]

export const brokenAuditLogs: readonly Breakage[] = [
  broken('absent members come as null', everyBut(COPIES, ADDITIONS), (inner) => ({
    page: async (request) =>
      (await inner.page(request)).map((one) => ({ subject: null as unknown as string, ...one })),
  })),
  broken('texts are trimmed', [LETTER], (inner) => ({
    append: ({ address, ...rest }) =>
      inner.append(address === undefined ? rest : { ...rest, address: address.trim() }),
  })),
  broken('texts are composed', [LETTER], (inner) => ({
    append: (record) => inner.append({ ...record, actor: record.actor.normalize() }),
  })),
  broken('an empty text is taken for an absent one', [LETTER], (inner) => ({
    append({ subject, ...rest }) {
      return inner.append(subject ? { ...rest, subject } : rest)
    },
  })),
  broken('the accounts are sorted', [LETTER, ACCOUNT, BOTH, SINCE, PURGE], (inner) => ({
    append: (record) =>
      inner.append({ ...record, accounts: record.accounts.toSorted((one, other) => one - other) }),
  })),
  broken('the moment is kept in seconds', [LETTER, ORDER, WALK, SINCE, GONE, PURGE, PURGES], (inner) => ({
    append: (record) => inner.append({ ...record, at: Math.floor(record.at / 1_000) * 1_000 }),
  })),
  broken('a failure is recorded as a success', [LETTER], (inner) => ({
    append: (record) => inner.append({ ...record, outcome: 'success' }),
  })),
  broken('records come in the order of appending', [ORDER, WALK, ACCOUNT, GONE, PURGE], (inner) => {
    const appended: AuditRecordId[] = []
    return {
      async append(record) {
        appended.push(record.id)
        await inner.append(record)
      },
      async page(request) {
        const all = [...(await allOf(inner, request))]
        all.sort((one, other) => appended.indexOf(one.id) - appended.indexOf(other.id))
        return cut(all, request)
      },
    }
  }),
  broken('records come in the order of a language', [ORDER, WALK, GONE], (inner) => ({
    async page(request) {
      const all = [...(await allOf(inner, request))]
      return cut(
        all.sort((one, other) => one.id.localeCompare(other.id)),
        request,
      )
    },
  })),
  broken('the latest come first', everyBut(COPIES, ADDITIONS), (inner) => ({
    page: async (request) => cut((await allOf(inner, request)).toReversed(), request),
  })),
  broken('purge removes nothing', [GONE, PURGE, PURGES], () => ({ purge: async () => 0 })),
  broken('purge knows no limit', [PURGE, PURGES], (inner) => ({
    purge: (before) => inner.purge(before, Infinity),
  })),
  broken('purge takes the moment along', [GONE, PURGE, PURGES], (inner) => ({
    purge: (before, limit) => inner.purge(before + 1, limit),
  })),
  broken('purge leaves the last moment', [GONE, PURGE, PURGES], (inner) => ({
    purge: (before, limit) => inner.purge(before - 1, limit),
  })),
  broken('purge does not say how much', [PURGE, PURGES], (inner) => ({
    async purge(before, limit) {
      await inner.purge(before, limit)
      return 0
    },
  })),
  broken('purge takes the latest of the old first', [PURGE, PURGES], purgingBackwards),
  broken('purge forgets the pages of accounts', [GONE, PURGE], (inner) => {
    const kept: AuditRecord[] = []
    return {
      async append(record) {
        kept.push(structuredClone(record))
        await inner.append(record)
      },
      page: async (request) =>
        request.accountId === undefined ? await inner.page(request) : structuredClone(pageOf(kept, request)),
    }
  }),
  broken('purge counts, then removes', [PURGES], (inner) => ({
    async purge(before, limit) {
      const end = timePrefix(before)
      const old = (await inner.page({ limit })).filter(({ id }) => id < end)
      await everybodyElse()
      await inner.purge(before, old.length)
      return old.length
    },
  })),
  broken('what has a key that is there is dropped', [ADDS, ADDITIONS], (inner) => {
    const keys = new Set<string | undefined>()
    return {
      append: async (record) => {
        if (record.countKey !== undefined && keys.has(record.countKey)) return
        keys.add(record.countKey)
        await inner.append(record)
      },
    }
  }),
  broken('every record is kept, also of one key', [ADDS, ADDITIONS], (inner) => {
    let appended = 0
    return {
      append: ({ countKey, ...record }) =>
        inner.append(
          countKey === undefined ? record : { ...record, countKey: `${countKey} ${(appended += 1)}` },
        ),
      page: async (request) =>
        (await inner.page(request)).map(({ countKey, ...record }) =>
          countKey === undefined ? record : { ...record, countKey: countKey.replace(/ \d+$/, '') },
        ),
    }
  }),
  broken('keys are folded', [ADDS], (inner) => ({
    append: ({ countKey, ...record }) =>
      inner.append(countKey === undefined ? record : { ...record, countKey: countKey.toLowerCase() }),
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
  broken('append does not wait for its write', EVERY, (inner) => ({
    async append(record) {
      void everybodyElse().then(() => inner.append(record))
    },
  })),
  broken('what is passed in is kept', [COPIES], (inner) => {
    const passedIn: AuditRecord[] = []
    return {
      async append(record) {
        passedIn.push(record)
        await inner.append(record)
      },
      page: async (request) =>
        structuredClone(
          (await inner.page(request)).map(({ id }, index) => byId(passedIn, id) ?? passedIn[index]!),
        ),
    }
  }),
  broken('what is handed out is handed out again', [COPIES], (inner) => {
    const handedOut = new Map<AuditRecordId, AuditRecord>()
    return {
      page: async (request) =>
        (await inner.page(request)).map((one) => {
          handedOut.set(one.id, handedOut.get(one.id) ?? one)
          return handedOut.get(one.id) ?? one
        }),
    }
  }),
  broken('the accounts of a record are handed out again', [COPIES], (inner) => {
    const handedOut = new Map<AuditRecordId, readonly AccountId[]>()
    return {
      page: async (request) =>
        (await inner.page(request)).map((one) => {
          const accounts = handedOut.get(one.id) ?? one.accounts
          handedOut.set(one.id, accounts)
          return { ...one, accounts }
        }),
    }
  }),
]

function everyBut(...kept: readonly string[]): readonly string[] {
  return EVERY.filter((law) => !kept.includes(law))
}

function byId(records: readonly AuditRecord[], wanted: AuditRecordId): AuditRecord | undefined {
  return records.find(({ id }) => id === wanted)
}

async function allOf(inner: AuditLog, request: AuditPageRequest): Promise<readonly AuditRecord[]> {
  const { after: _, ...rest } = request
  return await inner.page({ ...rest, limit: 1_000 })
}

/** A page of an account, of records in any order. */
function pageOf(
  records: readonly AuditRecord[],
  { accountId, event, since = 0, after = '' as AuditRecordId, limit }: AuditPageRequest,
): readonly AuditRecord[] {
  const found = records.filter((one) => accountId !== undefined && one.accounts.includes(accountId))
  return found
    .filter((one) => (event ?? one.event) === one.event && one.at >= since && one.id > after)
    .sort((one, other) => (one.id < other.id ? -1 : 1))
    .slice(0, limit)
}

/** From behind the record that is named, from the beginning where there is none. */
function cut(records: readonly AuditRecord[], { after, limit }: AuditPageRequest): readonly AuditRecord[] {
  const start = records.findIndex(({ id }) => id === after) + 1
  return records.slice(start, start + limit)
}

/** Keeps what it has purged by a list of its own, since the sound store cannot do it. */
function purgingBackwards(inner: AuditLog): Partial<AuditLog> {
  const gone: AuditRecordId[] = []
  const active = async (request: AuditPageRequest) =>
    (await allOf(inner, request)).filter(({ id }) => !gone.includes(id) && id > (request.after ?? ''))
  return {
    page: async (request) => (await active(request)).slice(0, request.limit),
    async purge(before, limit) {
      const end = timePrefix(before)
      const old = (await active({ limit })).filter(({ id }) => id < end).slice(-limit)
      gone.push(...old.map(({ id }) => id))
      return old.length
    },
  }
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
