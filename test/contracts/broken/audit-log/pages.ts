import type { AuditRecord } from '../../../../src/domain/audit.js'
import type { AuditLog, AuditPageRequest } from '../../../../src/ports/audit-log.js'
import { type Breakage, breakageOf, COPIES } from '../breakage.js'

const broken = breakageOf('audit')
const WALK = 'pages walk over all records, also of one moment'
const ACCOUNT = 'a page of an account holds what it did and what was done to it, each record once'
const EVENT = 'a page of an event holds this event and no other'
const BOTH = 'a page of an account and an event holds what is of both, and nothing else takes a place on it'
const SINCE = 'a page begins at its moment exactly, and behind the record that it goes on after'
const GONE = 'a page goes on after a record that is gone'
const BACK = 'pages walk back where the newest come first, over whatever is asked for'
const BACK_SINCE =
  'a page that goes back ends at its moment exactly, and goes on behind a record that is gone'
const PURGE =
  'purge removes what is from before its moment, the oldest first, at most so much, and says how much'

export const brokenAuditPages: readonly Breakage[] = [
  broken('pages know no limit', [WALK, ACCOUNT, EVENT, BOTH, SINCE], (inner) => ({
    page: (request) => inner.page({ ...request, limit: 1_000 }),
  })),
  broken('a page is one shorter than it may be', [WALK, ACCOUNT, BOTH], (inner) => ({
    page: (request) => inner.page({ ...request, limit: Math.max(1, request.limit - 1) }),
  })),
  broken(
    'a page begins with the record that it goes on after',
    [WALK, ACCOUNT, EVENT, BOTH, SINCE],
    (inner) => ({
      async page({ after, ...rest }) {
        const all = await allOf(inner, rest)
        return all.filter(({ id }) => id >= (after ?? '')).slice(0, rest.limit)
      },
    }),
  ),
  broken(
    'a page goes on after the moment and not after the record',
    [WALK, ACCOUNT, EVENT, BOTH],
    (inner) => ({
      async page({ after, ...rest }) {
        const all = await allOf(inner, rest)
        const moment = after?.slice(0, 12) ?? ''
        return all.filter(({ id }) => id.slice(0, 12) > moment).slice(0, rest.limit)
      },
    }),
  ),
  broken('a page looks for the record that it goes on after', [GONE], (inner) => ({
    page: async (request) => cut(await allOf(inner, request), request),
  })),
  broken('pages know one order', [BACK, BACK_SINCE], (inner) => ({
    page: ({ order: _, ...rest }) => inner.page(rest),
  })),
  broken('a page that goes back has the first records, turned round', [BACK, BACK_SINCE], (inner) => ({
    page: async ({ order, ...rest }) =>
      order === 'newest-first' && rest.after === undefined
        ? (await inner.page(rest)).toReversed()
        : await inner.page({ ...rest, ...(order && { order }) }),
  })),
  broken('a page that goes back knows no moment', [BACK_SINCE], (inner) => ({
    page: ({ since, ...rest }) =>
      inner.page(rest.order === 'newest-first' || since === undefined ? rest : { ...rest, since }),
  })),
  broken('a page that goes back looks for the record that it goes on behind', [BACK_SINCE], (inner) => ({
    async page(request) {
      const { order, after, ...rest } = request
      if (order !== 'newest-first' || after === undefined) return await inner.page(request)
      return cut(await inner.page({ ...rest, order, limit: 1_000 }), request)
    },
  })),
  broken('pages are of everybody', [ACCOUNT, BOTH], (inner) => ({
    page: ({ accountId: _, ...rest }) => inner.page(rest),
  })),
  broken('only the first of the accounts is looked at', [ACCOUNT, BOTH, SINCE, PURGE, COPIES], (inner) => ({
    page: (request) => filtered(inner, request, ({ accounts }) => accounts[0] === request.accountId),
  })),
  broken('only what was done to an account is its own', [ACCOUNT, BOTH, SINCE, PURGE], (inner) => ({
    page: (request) => filtered(inner, request, ({ accounts }) => accounts.at(-1) === request.accountId),
  })),
  broken('accounts are told apart by their beginning', [ACCOUNT, BOTH], (inner) => ({
    page: (request) =>
      filtered(inner, request, ({ accounts }) =>
        accounts.some((one) => String(one).startsWith(String(request.accountId))),
      ),
  })),
  broken('what an account did comes before what was done to it', [ACCOUNT, BOTH], (inner) => ({
    async page(request) {
      const { accountId, limit } = request
      if (accountId === undefined) return await inner.page(request)
      const all = await inner.page({ ...request, limit: 1_000 })
      const own = all.filter(({ accounts }) => accounts[0] === accountId)
      return [...own, ...all.filter(({ accounts }) => accounts[0] !== accountId)].slice(0, limit)
    },
  })),
  broken('a record of two accounts is on a page twice', [ACCOUNT, BOTH, SINCE, PURGE, COPIES], (inner) => ({
    async page(request) {
      const page = await inner.page(request)
      if (request.accountId === undefined) return page
      return page.flatMap((one) => (one.accounts.length > 1 ? [one, one] : [one])).slice(0, request.limit)
    },
  })),
  broken('events are not looked at', [EVENT, BOTH], (inner) => ({
    page: ({ event: _, ...rest }) => inner.page(rest),
  })),
  broken('events are told apart by their beginning', [EVENT, BOTH], (inner) => ({
    async page({ event, ...rest }) {
      if (event === undefined) return await inner.page(rest)
      const all = await allOf(inner, rest)
      const beginning = event.slice(0, 3)
      return cut(
        all.filter((one) => one.event.startsWith(beginning)),
        rest,
      )
    },
  })),
  broken('the event is looked for on the page of the account', [BOTH], (inner) => ({
    async page({ event, ...rest }) {
      if (event === undefined) return await inner.page(rest)
      return rest.accountId === undefined
        ? await inner.page({ ...rest, event })
        : (await inner.page(rest)).filter((one) => one.event === event)
    },
  })),
  broken('of an account and an event the event counts', [BOTH], (inner) => ({
    page: ({ accountId, ...rest }) =>
      inner.page(rest.event === undefined && accountId !== undefined ? { ...rest, accountId } : rest),
  })),
  broken('the moment is not looked at', [SINCE], (inner) => ({
    page: ({ since: _, ...rest }) => inner.page(rest),
  })),
  broken('the moment is left out', [SINCE], (inner) => ({
    page: ({ since, ...rest }) => inner.page(since === undefined ? rest : { ...rest, since: since + 1 }),
  })),
  broken('the moment is rounded to seconds', [SINCE], (inner) => ({
    page: ({ since, ...rest }) =>
      inner.page(since === undefined ? rest : { ...rest, since: Math.floor(since / 1_000) * 1_000 - 1 }),
  })),
  broken('the moment is looked at on the page only', [SINCE], (inner) => ({
    async page({ since, ...rest }) {
      const page = await inner.page(rest)
      return since === undefined ? page : page.filter(({ at }) => at >= since)
    },
  })),
  broken('of a moment and a record the moment counts', [SINCE], (inner) => ({
    page: ({ after, ...rest }) =>
      inner.page(rest.since === undefined && after !== undefined ? { ...rest, after } : rest),
  })),
  broken('of a moment and a record the record counts', [SINCE], (inner) => ({
    page: ({ since, ...rest }) =>
      inner.page(rest.after === undefined && since !== undefined ? { ...rest, since } : rest),
  })),
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

/** Pages of accounts as `holds` has them; the others are sound. */
async function filtered(
  inner: AuditLog,
  { accountId, limit, ...rest }: AuditPageRequest,
  holds: (record: AuditRecord) => boolean,
): Promise<readonly AuditRecord[]> {
  if (accountId === undefined) return await inner.page({ ...rest, limit })
  return (await inner.page({ ...rest, limit: 1_000 })).filter(holds).slice(0, limit)
}
