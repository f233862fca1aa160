import type { Session, SessionId } from '../../../../src/domain/identity/session.js'
import type { SessionPageRequest, Sessions } from '../../../../src/ports/sessions.js'
import { breakageOf, everybodyElse, type Breakage } from '../breakage.js'

const broken = breakageOf('sessions')
const ORDER = 'a page gives the active sessions of the account by the time of their login, then by id'
const WALK = 'pages walk over all active sessions, also of one moment'
const GOES_ON = 'a page goes on after a session that has ended meanwhile'
const INACTIVE = 'what is not active is on no page and takes no place on one'
const ENDS = 'a session is on pages strictly before its ends'
const ACCOUNT = 'an account that is disabled, removed or unknown has empty pages'
const REFRESHED = 'a refreshed session keeps its place and shows its active generation'

export const brokenSessionPages: readonly Breakage[] = [
  broken('pages have the latest login first', [ORDER, WALK], (inner) => ({
    pageOf: async (request) => (await inner.pageOf(request)).toReversed(),
  })),
  broken('pages go by the time only, in the order of opening', [ORDER, WALK], (inner) => {
    const opened: SessionId[] = []
    return {
      async open(session) {
        opened.push(session.id)
        await inner.open(session)
      },
      async pageOf(request) {
        const all = [...(await allOf(inner, request))]
        all.sort((one, other) => opened.indexOf(one.id) - opened.indexOf(other.id))
        return cut(
          all.sort((one, other) => one.createdAt - other.createdAt),
          request,
        )
      },
    }
  }),
  broken('a page goes on after the moment and not after the session', [WALK, GOES_ON], (inner) => ({
    async pageOf(request) {
      const all = await allOf(inner, request)
      const after = request.after?.createdAt ?? 0
      return all.filter(({ createdAt }) => createdAt > after).slice(0, request.limit)
    },
  })),
  broken('a page begins with the session that it goes on after', [WALK], (inner) => ({
    async pageOf(request) {
      const all = await allOf(inner, request)
      const index = all.findIndex(({ id }) => id === request.after?.id)
      return index === -1 ? await inner.pageOf(request) : all.slice(index, index + request.limit)
    },
  })),
  broken('a page goes on by id alone', [WALK], (inner) => ({
    async pageOf(request) {
      const all = await allOf(inner, request)
      return all.filter(({ id }) => id > (request.after?.id ?? '')).slice(0, request.limit)
    },
  })),
  broken('a page looks for the session that it goes on after', [GOES_ON], (inner) => ({
    pageOf: async (request) => cut(await allOf(inner, request), request),
  })),
  broken('pages know no limit', [ORDER, WALK], (inner) => ({
    pageOf: (request) => inner.pageOf({ ...request, limit: 1_000 }),
  })),
  broken('pages hold the sessions of everybody', [ORDER, INACTIVE], (inner, { accounts }) => ({
    async pageOf(request) {
      const all = await accounts.page(undefined, 100)
      const pages = await Promise.all(all.map(({ id }) => inner.pageOf({ ...request, accountId: id })))
      return pages.flat().slice(0, request.limit)
    },
  })),
  broken('the limit counts what is not active too', [INACTIVE], (inner) => {
    const opened: Session[] = []
    return {
      async open(session) {
        opened.push(session)
        await inner.open(session)
      },
      async pageOf(request) {
        const rows = opened.filter(({ accountId }) => accountId === request.accountId)
        const places = rows.slice(0, request.limit).map(({ id }) => id)
        return (await inner.pageOf(request)).filter(({ id }) => places.includes(id))
      },
    }
  }),
  broken('pages do not look at the ends', [INACTIVE, ENDS], (inner) => ({
    pageOf: (request) => inner.pageOf({ ...request, at: 0 }),
  })),
  broken('pages count the ends in', [ENDS], (inner) => ({
    pageOf: (request) => inner.pageOf({ ...request, at: request.at - 1 }),
  })),
  broken('pages come from a list of logins', [GOES_ON, INACTIVE, ENDS, ACCOUNT, REFRESHED], (inner) => {
    const opened: Session[] = []
    return {
      async open(session) {
        opened.push(session)
        await inner.open(session)
      },
      pageOf: async (request) => {
        const rows = opened.filter(({ accountId }) => accountId === request.accountId)
        return cut(structuredClone(rows), request)
      },
    }
  }),
  broken('a refresh moves a session to the end', [REFRESHED], (inner) => ({
    async pageOf(request) {
      const page = [...(await inner.pageOf(request))]
      return page.sort((one, other) => one.current.issuedAt - other.current.issuedAt)
    },
  })),
  broken(
    'the list of an account is read, then written',
    ['of 16 logins at once none is missing from the page'],
    (inner) => {
      let listed: readonly SessionId[] = []
      return {
        async open(session) {
          const before = listed
          await everybodyElse()
          listed = [...before, session.id]
          await inner.open(session)
        },
        pageOf: async (request) => (await inner.pageOf(request)).filter(({ id }) => listed.includes(id)),
      }
    },
  ),
]

async function allOf(sessions: Sessions, { accountId, at }: SessionPageRequest): Promise<readonly Session[]> {
  return await sessions.pageOf({ accountId, at, limit: 1_000 })
}

/** From behind the session with the id, from the beginning where there is none. */
function cut(sessions: readonly Session[], { after, limit }: SessionPageRequest): readonly Session[] {
  const start = sessions.findIndex(({ id }) => id === after?.id) + 1
  return sessions.slice(start, start + limit)
}
