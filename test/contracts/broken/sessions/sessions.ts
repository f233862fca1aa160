import type { Account } from '../../../../src/domain/identity/account.js'
import type { KeyDigest, Session, SessionId } from '../../../../src/domain/identity/session.js'
import { breakageOf, everybodyElse, type Breakage, StoreError } from '../breakage.js'

const broken = breakageOf('sessions')
const LATER = 7 * 24 * 60 * 60 * 1_000

export const brokenSessions: readonly Breakage[] = [
  broken(
    'ends are not looked at',
    [
      'a session lives strictly before its idle end',
      'a session lives strictly before its absolute end',
      'a previous key is good strictly before the end of its window',
      'a previous key outlives no end of its session',
    ],
    (inner) => ({ find: (key) => inner.find(key, 0), findById: (id) => inner.findById(id, 0) }),
  ),
  broken(
    'ends are counted in',
    ['a session lives strictly before its idle end', 'a session lives strictly before its absolute end'],
    (inner) => ({
      find: (key, at) => inner.find(key, at - 1),
      findById: (id, at) => inner.findById(id, at - 1),
    }),
  ),
  broken(
    'refresh does not look at the ends',
    [
      'a session past its end is unknown before its token is judged',
      'a session lives strictly before its absolute end',
      'no refresh moves the absolute end',
    ],
    (inner, { accounts }) => ({
      async rotate(request) {
        const found = await inner.findById(request.sessionId, 0)
        const account = found && (await accounts.find(found.account.id))
        const endless = found && { ...found.session, endsAt: request.at + LATER }
        if (endless && account)
          await inner.open({ ...endless, current: { ...endless.current, idleEndsAt: request.at + 1 } })
        return await inner.rotate(request)
      },
    }),
  ),
  broken(
    'previous keys are not read',
    ['a previous key is good strictly before the end of its window'],
    (inner) => ({
      async find(key, at) {
        const found = await inner.find(key, at)
        return found?.session.current.keyDigest === key ? found : undefined
      },
    }),
  ),
  broken(
    'a previous generation is dropped on opening',
    ['a session that has a previous generation is kept with it'],
    (inner) => ({
      open: ({ previous: _, ...session }) => inner.open(session),
    }),
  ),
  broken(
    'the epoch is taken from the account on opening',
    ['a session that is opened with an earlier epoch is never active'],
    (inner, { accounts }) => ({
      async open(session) {
        const account = await accounts.find(session.accountId)
        await inner.open({ ...session, epoch: account?.epoch ?? session.epoch })
      },
    }),
  ),
  broken(
    'a session needs its account on opening',
    ['a session can be opened for a removed account and is not active'],
    (inner, { accounts }) => ({
      async open(session) {
        if (!(await accounts.find(session.accountId))) throw new StoreError('foreign key')
        await inner.open(session)
      },
    }),
  ),
  broken(
    'keys and ids are compared without regard to case',
    ['a key or id of no session finds nothing'],
    (inner) => ({
      find: (key, at) => inner.find(key.toLowerCase() as KeyDigest, at),
      findById: (id, at) => inner.findById(id.toLowerCase() as SessionId, at),
    }),
  ),
  broken(
    'an account has one session: opening ends the others',
    ['sessions of one account and of several are told apart', 'end ends this session and no other'],
    (inner) => ({
      async open(session) {
        await inner.endAllOf(session.accountId)
        await inner.open(session)
      },
    }),
  ),
  broken(
    'the account is read once, on opening',
    [
      'a session is found by its key and by its id, with account and roles',
      'roles: assign and unassign take effect at the next read of a session',
    ],
    (inner, { accounts }) => {
      const snapshots = new Map<SessionId, Account>()
      return {
        async open(session) {
          const account = await accounts.find(session.accountId)
          if (account) snapshots.set(session.id, { ...account, roles: [] })
          await inner.open(session)
        },
        async find(key, at) {
          const found = await inner.find(key, at)
          return found && { ...found, account: snapshots.get(found.session.id) ?? found.account }
        },
      }
    },
  ),
  broken(
    'end only says so',
    [
      'end ends this session and no other',
      'ending a session that is not there is harmless',
      'rotate of what is not there or has ended is unknown',
      'a refresh that races a logout leaves nothing active',
    ],
    () => ({ end: async () => 'ended' }),
  ),
  broken('end ends all of the account', ['end ends this session and no other'], (inner) => ({
    async end(id) {
      const found = await inner.findById(id, 0)
      if (found) await inner.endAllOf(found.account.id)
      return found ? 'ended' : 'unknown'
    },
  })),
  broken('ending twice is an error', ['ending a session that is not there is harmless'], (inner) => ({
    async end(id) {
      const answer = await inner.end(id)
      if (answer === 'unknown') throw new StoreError('no such row')
      return answer
    },
  })),
  broken(
    'endAllOf ends the first only',
    [
      'endAllOf ends all sessions of the account and of no other',
      'refreshes that race endAllOf leave nothing active',
    ],
    (inner) => {
      const first = new Map<number, SessionId>()
      return {
        async open(session) {
          if (!first.has(session.accountId)) first.set(session.accountId, session.id)
          await inner.open(session)
        },
        async endAllOf(accountId) {
          const id = first.get(accountId)
          return id !== undefined && (await inner.end(id)) === 'ended' ? 1 : 0
        },
      }
    },
  ),
  broken(
    'purge counts and removes nothing',
    ['purge removes what is past one of its ends, for good'],
    () => ({
      purge: async () => 2,
    }),
  ),
  broken(
    'purge removes nothing',
    ['purge removes what is past one of its ends, for good', 'purge stops at its limit'],
    () => ({
      purge: async () => 0,
    }),
  ),
  broken('purge knows no limit', ['purge stops at its limit'], (inner) => ({
    purge: (at) => inner.purge(at, Infinity),
  })),
  broken('purge goes by the ends at login', ['purge goes by the ends of the active generation'], (inner) => {
    const ends = new Map<SessionId, number>()
    return {
      async open(session) {
        ends.set(session.id, session.current.idleEndsAt)
        await inner.open(session)
      },
      async purge(at, limit) {
        let count = await inner.purge(at, limit)
        for (const [id, end] of ends) if (end <= at && (await inner.end(id)) === 'ended') count += 1
        return count
      },
    }
  }),
  broken(
    'purge looks at no more than it may remove',
    ['purge finds what has ended behind what was refreshed'],
    (inner) => {
      const ends = new Map<SessionId, number>()
      return {
        async open(session) {
          ends.set(session.id, session.current.idleEndsAt)
          await inner.open(session)
        },
        async purge(at, limit) {
          const first = [...ends].filter(([, end]) => end <= at).slice(0, limit)
          const over = await Promise.all(first.map(async ([id]) => (await inner.findById(id, at)) ?? id))
          const ended = over.filter((one) => typeof one === 'string')
          return (await Promise.all(ended.map((id) => inner.end(id)))).filter((one) => one === 'ended').length
        },
      }
    },
  ),
  broken('every refresh leaves a row', ['a thousand refreshes leave one session'], (inner) => ({
    async rotate(request) {
      const answer = await inner.rotate(request)
      if (answer.kind === 'rotated') await inner.open(ghostOf(answer.session))
      return answer
    },
  })),
  broken(
    'a session is kept as it was passed in',
    ['changing what was passed in or handed out changes nothing in the store'],
    (inner) => {
      const kept = new Map<SessionId, Session>()
      return {
        async open(session) {
          kept.set(session.id, session)
          await inner.open(session)
        },
        async findById(id, at) {
          const found = await inner.findById(id, at)
          return found && { ...found, session: kept.get(id) ?? found.session }
        },
      }
    },
  ),
  broken(
    'answers are kept for a minute',
    [
      'end ends this session and no other',
      'roles: assign and unassign take effect at the next read of a session',
    ],
    (inner) => {
      const answers = new Map<SessionId, ReturnType<typeof inner.findById>>()
      return {
        async findById(id, at) {
          await everybodyElse()
          const known = answers.get(id) ?? inner.findById(id, at)
          answers.set(id, known)
          return structuredClone(await known)
        },
        async find(key, at) {
          const found = await inner.find(key, at)
          if (found) answers.set(found.session.id, Promise.resolve(found))
          return found
        },
      }
    },
  ),
]

function ghostOf(session: Session): Session {
  const label = `${session.id} ${session.current.number}`
  const current = { ...session.current, keyDigest: label as KeyDigest }
  return { ...session, id: label as SessionId, current }
}
