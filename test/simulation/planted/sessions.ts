import type { Role } from '../../../src/domain/access/role.js'
import { decideRotation } from '../../../src/domain/identity/rotation.js'
import type { TokenSigner } from '../../../src/ports/tokens.js'
import { inStore, inUseCases, type Change, type PlantedBugs } from './changes.js'

/** Reads and writes in separate calls instead of one atomic call. */
const rotateInTwoCalls: Change<'sessions'> = ({ findById, open, end }) => ({
  async rotate(request) {
    const found = await findById(request.sessionId, request.at)
    const decided = decideRotation(found?.session, request)
    if (decided.kind === 'rotated') await open(decided.session)
    if (decided.kind === 'replayed') await end(request.sessionId)
    return decided
  },
})

/** A bug that keeps returning the roles that a session had when it was first found. */
const cachedFind: Change<'sessions'> = ({ find }) => {
  const roles = new Map<string, readonly Role[]>()
  return {
    async find(key, at) {
      const found = await find(key, at)
      if (!found) return undefined
      const { account } = found
      const known = roles.get(found.session.id) ?? account.roles
      roles.set(found.session.id, known)
      return { ...found, account: { ...account, roles: known } }
    },
  }
}

/** If a session's epoch is outdated, opens the session with the account's current epoch. */
const openNow: Change<'sessions'> = ({ open, findById }) => ({
  async open(session) {
    await open(session)
    const isFound = async () => (await findById(session.id, session.createdAt)) !== undefined
    for (let epoch = session.epoch + 1; epoch < 9 && !(await isFound()); epoch += 1)
      await open({ ...session, epoch: epoch as never })
  },
})

const longLived = (tokens: TokenSigner): TokenSigner => ({
  ...tokens,
  sign: async (claims, kid) => await tokens.sign({ ...claims, expiresAt: claims.issuedAt + 604_800 }, kid),
})

const REFRESHES: PlantedBugs = {
  'a refresh finds and updates the session in two calls': inUseCases('sessions', rotateInTwoCalls),
  'a spent refresh token in the grace window needs no cookie': inStore(
    'sessions',
    ({ findById, rotate }) => ({
      async rotate(request) {
        const found = await findById(request.sessionId, request.at)
        return await rotate({ ...request, keyDigest: found?.session.current.keyDigest })
      },
    }),
  ),
  'the previous cookie is valid forever': inStore('sessions', ({ rotate }) => ({
    rotate: async (request) => await rotate({ ...request, grace: request.grace * 1000 }),
  })),
  'a grace period of 0 has a window': inStore('sessions', ({ rotate }) => ({
    rotate: async (request) => await rotate({ ...request, grace: request.grace || 5_000 }),
  })),
  'a refresh moves the end of the session': inStore('sessions', ({ open, findById, rotate }) => ({
    async rotate(request) {
      const rotation = await rotate(request)
      const found = await findById(request.sessionId, request.at)
      if (rotation.kind !== 'rotated' || !found) return rotation
      const session = { ...found.session, endsAt: found.session.endsAt + 60_000 }
      await open(session)
      return { kind: 'rotated', session }
    },
  })),
  'a spent token never ends the session': inStore('sessions', ({ findById, rotate }) => ({
    async rotate(request) {
      const found = await findById(request.sessionId, request.at)
      const decided = decideRotation(found?.session, request)
      return decided.kind === 'replayed' ? { kind: 'mismatched' } : await rotate(request)
    },
  })),
  'a refresh whose reply was lost counts as a replay': inStore('sessions', ({ rotate, end }) => ({
    async rotate(request) {
      const rotation = await rotate(request)
      if (rotation.kind !== 'superseded') return rotation
      await end(request.sessionId)
      return { kind: 'replayed' }
    },
  })),
  'an access token is valid as long as a refresh token': {
    parts: ({ tokens, ...parts }) => ({ ...parts, tokens: longLived(tokens as TokenSigner) }),
  },
}

const BEGINNINGS_AND_ENDS: PlantedBugs = {
  'ending all sessions does not change the epoch': inStore('sessions', ({ pageOf, end }) => ({
    async endAllOf(account) {
      const all = await pageOf({ accountId: account, limit: 100, at: 0 })
      for (const { id } of all) await end(id)
      return all.length
    },
  })),
  'a logout does not end the session': inUseCases('sessions', () => ({
    end: async () => await Promise.resolve('ended'),
  })),
  'a logout needs the current cookie': inStore('sessions', ({ findById }) => ({
    async findById(id, at) {
      const found = await findById(id, at)
      if (!found) return undefined
      const { previous: _, ...session } = found.session
      return { ...found, session }
    },
  })),
  'roles come from a cache that is never cleared': inUseCases('sessions', cachedFind),
  'a session gets the current epoch instead of the epoch of the password': inUseCases('sessions', openNow),
  'ending other sessions also ends the current session': inStore('sessions', ({ endOthers }) => ({
    endOthers: async (account, _, at) => await endOthers(account, '-' as never, at),
  })),
  'an account ends a session of another account': inStore('sessions', ({ end }) => ({
    endOne: async (_, id) => await end(id),
  })),
  'the session limit ends the newest session': inStore('sessions', ({ open, pageOf, end }) => ({
    async openWithLimit(session, most) {
      await open(session)
      const all = await pageOf({ accountId: session.accountId, limit: 100, at: session.createdAt })
      const others = all.filter(({ id }) => id !== session.id).slice(Math.max(0, most - 1))
      for (const { id } of others) await end(id)
      return others.length
    },
  })),
}

export const SESSIONS: PlantedBugs = { ...REFRESHES, ...BEGINNINGS_AND_ENDS }
