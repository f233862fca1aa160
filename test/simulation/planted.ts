import type { ApiKey } from '../../src/domain/access/api-key.js'
import type { Role } from '../../src/domain/access/role.js'
import type { ActiveSession, Session } from '../../src/domain/identity/session.js'
import type { AttemptLimiter, AttemptOutcome } from '../../src/ports/attempt-limiter.js'
import type { ApiKeys } from '../../src/ports/api-keys.js'
import type { PetInsertion, Pets } from '../../src/ports/pets.js'
import type { Sessions } from '../../src/ports/sessions.js'
import type { Store } from '../../src/ports/store.js'
import type { TokenSigner } from '../../src/ports/token-signer.js'
import { decideRotation } from '../../src/domain/identity/rotation.js'
import { createRefuseLapsedSession } from '../../src/application/identity/impersonation/refuse-lapsed.js'
import type { RefuseLapsed } from '../../src/application/identity/impersonation/refuse-lapsed.js'
import { USE_CASE_TABLES } from '../../src/application/wiring.js'
import type { Bug, Parts } from './instance.js'

type Ports = Omit<Store, 'ready' | 'close'>
/** Its calls may be used without the port. */
type Bound<Port> = {
  readonly [Name in keyof Port]: Port[Name] extends (...args: infer Args) => infer Answer
    ? (...args: Args) => Answer
    : never
}
type Changes = {
  readonly [Port in keyof Ports]?: (port: Bound<NonNullable<Ports[Port]>>, all: Ports) => Partial<Ports[Port]>
}

/** A bug of the store: other calls of its ports, each still atomic. */
function inStore(changes: Changes): Bug {
  return { store: (store) => ({ ...store, ...(changed(store, changes) as Partial<Store>) }) }
}

/** A bug of the use cases: they make other calls of a port, or several calls instead of one. */
function inUseCases(changes: Changes): Bug {
  return { parts: (parts) => ({ ...parts, ...changed(parts, changes) }) }
}

function changed(ports: Store | Parts, changes: Changes): Parts {
  const entries = Object.entries(changes) as [keyof Ports, (port: object, all: object) => object][]
  return Object.fromEntries(
    entries.map(([name, change]) => {
      const port = (ports as Readonly<Record<string, object>>)[name] as object
      return [name, { ...port, ...change(port, ports) }]
    }),
  )
}

/** Reads, decides, and writes then. */
const rotateInTwoCalls = (sessions: Bound<Sessions>): Partial<Sessions> => ({
  async rotate(request) {
    const found = await sessions.findById(request.sessionId, request.at)
    const decided = decideRotation(found?.session, request)
    if (decided.kind === 'rotated') await sessions.open(decided.session)
    if (decided.kind === 'replayed') await sessions.end(request.sessionId)
    return decided
  },
})

/** Remembers the roles with which a session was first found. */
function cachedFind({ find }: Bound<Sessions>): Partial<Sessions> {
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

const cachedKeys = ({ find }: Bound<ApiKeys>): Partial<ApiKeys> => {
  const known = new Map<string, ApiKey>()
  return {
    async find(digest, at) {
      const key = known.get(digest) ?? (await find(digest, at))
      if (key) known.set(digest, key)
      return key
    },
  }
}

/** A bug of the check of an impersonation: it sees another session. */
function inLapse(change: (found: ActiveSession) => Partial<ActiveSession>): Bug {
  const factory = (parts: never): RefuseLapsed => {
    const refuseLapsed = createRefuseLapsedSession(parts)
    return async (found, client) => await refuseLapsed({ ...found, ...change(found) }, client)
  }
  return { rows: { refuseLapsed: { ...USE_CASE_TABLES.stateful.rows['refuseLapsed'], factory } as never } }
}

/** Still finds an impersonation if the account of its actor has been disabled. */
function foundIfDisabled({ find }: Bound<Sessions>, { accounts }: Ports): Partial<Sessions> {
  const known = new Map<unknown, ActiveSession>()
  return {
    async find(key, at) {
      const found = await find(key, at)
      if (found?.session.actor) known.set(key, found)
      const before = found ? undefined : known.get(key)
      const actor = before?.session.actor && (await accounts.find(before.session.actor.accountId))
      return actor?.disabledAt === undefined ? found : before
    },
  }
}

const ADMIN = { uuid: 'admin', key: 'admin', label: 'admin' } as unknown as Role

/** Opens the session in the epoch that the store tells now. */
const openNow = ({ open, findById }: Bound<Sessions>): Partial<Sessions> => ({
  async open(session) {
    await open(session)
    for (
      let epoch = session.epoch + 1;
      epoch < 9 && !(await findById(session.id, session.createdAt));
      epoch += 1
    )
      await open({ ...session, epoch: epoch as never })
  },
})

/** A login with a second factor gets the factor that the account has now. */
function withFactorNow(
  { open, openWithLimit }: Bound<Sessions>,
  { secondFactors }: Ports,
): Partial<Sessions> {
  const changed = async (session: Session) => {
    const since = (await secondFactors.find(session.accountId))?.activeSince
    return session.factor === undefined || since === undefined ? session : { ...session, factor: since }
  }
  return {
    open: async (session) => await open(await changed(session)),
    openWithLimit: async (session, most) => await openWithLimit(await changed(session), most),
  }
}

function ownKeys({ insert }: Bound<Pets>): Partial<Pets> {
  const known = new Map<string, PetInsertion>()
  return {
    async insert(draft, idempotency) {
      if (!idempotency) return await insert(draft)
      const name = JSON.stringify([idempotency.scope, idempotency.key])
      const made = known.get(name) ?? (await insert(draft))
      known.set(name, made)
      return made
    },
  }
}

const longLived = (tokens: TokenSigner): TokenSigner => ({
  ...tokens,
  sign: async (claims, kid) => await tokens.sign({ ...claims, expiresAt: claims.issuedAt + 604_800 }, kid),
})

const takenTogether = ({ take }: Bound<AttemptLimiter>): Partial<AttemptLimiter> => {
  const underWay = new Map<string, Promise<AttemptOutcome>>()
  return {
    async take(counts, at) {
      const names = counts.map(({ name }) => name).join()
      const taking = underWay.get(names) ?? take(counts, at).finally(() => underWay.delete(names))
      underWay.set(names, taking)
      return await taking
    },
  }
}

/** The planted bugs, by their descriptions. */
export const PLANTED: Readonly<Record<string, Bug>> = {
  'a refresh finds the session and updates it then': inUseCases({ sessions: rotateInTwoCalls }),
  'a spent refresh token in the grace window needs no cookie': inStore({
    sessions: (sessions) => ({
      async rotate(request) {
        const found = await sessions.findById(request.sessionId, request.at)
        return await sessions.rotate({ ...request, keyDigest: found?.session.current.keyDigest })
      },
    }),
  }),
  'the end of all sessions forgets the epoch': inStore({
    sessions: (sessions) => ({
      async endAllOf(account) {
        const all = await sessions.pageOf({ accountId: account, limit: 100, at: 0 })
        for (const { id } of all) await sessions.end(id)
        return all.length
      },
    }),
  }),
  'a logout does not end the session': inUseCases({
    sessions: () => ({ end: async () => await Promise.resolve('ended') }),
  }),
  'a logout needs the current cookie': inStore({
    sessions: ({ findById }) => ({
      async findById(id, at) {
        const found = await findById(id, at)
        if (!found) return undefined
        const { previous: _, ...session } = found.session
        return { ...found, session }
      },
    }),
  }),
  'the previous cookie reads for ever': inStore({
    sessions: ({ rotate }) => ({
      rotate: async (request) => await rotate({ ...request, grace: request.grace * 1000 }),
    }),
  }),
  'a grace of 0 has a window': inStore({
    sessions: ({ rotate }) => ({
      rotate: async (request) => await rotate({ ...request, grace: request.grace || 5_000 }),
    }),
  }),
  'a refresh moves the end of the session': inStore({
    sessions: ({ open, findById, rotate }) => ({
      async rotate(request) {
        const rotation = await rotate(request)
        const found = await findById(request.sessionId, request.at)
        if (rotation.kind !== 'rotated' || !found) return rotation
        const session = { ...found.session, endsAt: found.session.endsAt + 60_000 }
        await open(session)
        return { kind: 'rotated', session }
      },
    }),
  }),
  'roles come from a cache that no change empties': inUseCases({ sessions: cachedFind }),
  'a session is opened for the epoch of the moment, not of the password': inUseCases({ sessions: openNow }),
  'a changed password keeps the epoch': inStore({
    accounts: ({ setPassword, replaceHash, find }) => ({
      async setPassword(id, hash) {
        const account = await find(id)
        if (!account?.passwordHash) return await setPassword(id, hash)
        await replaceHash(id, account.passwordHash, hash)
        return 'set'
      },
    }),
  }),
  'a password is changed in two calls': inUseCases({
    accounts: (accounts) => ({
      async changePassword({ id, expected, next }) {
        const found = await accounts.find(id)
        if (found?.passwordHash !== expected || found.disabledAt !== undefined) return undefined
        await accounts.setPassword(id, next)
        return (await accounts.find(id))?.epoch
      },
    }),
  }),
  'a reset token is looked at, and the password set then': inUseCases({
    accounts: (accounts) => ({
      async consumeResetToken({ email, digest, at, hash }) {
        const account = await accounts.findByEmail(email)
        if (!account || !(await accounts.holdsResetToken(email, digest, at))) return undefined
        await accounts.setPassword(account.id, hash)
        return account.id
      },
    }),
  }),
  'a reset token outlives its time': inStore({
    accounts: ({ consumeResetToken, holdsResetToken }) => ({
      holdsResetToken: async (email, digest, at) => await holdsResetToken(email, digest, at - 3_600_000),
      consumeResetToken: async (input) => await consumeResetToken({ ...input, at: input.at - 3_600_000 }),
    }),
  }),
  'a disabled account gets a reset token': inStore({
    accounts: ({ setDisabled, issueResetToken, find }) => ({
      async issueResetToken(id, _, token) {
        const account = await find(id)
        if (!account) return 'changed'
        if (account.disabledAt === undefined) return await issueResetToken(id, account.epoch, token)
        await setDisabled(id, undefined)
        return await issueResetToken(id, (await find(id))?.epoch as never, token)
      },
    }),
  }),
  'the end of other sessions ends the own session too': inStore({
    sessions: ({ endOthers }) => ({
      endOthers: async (account, _, at) => await endOthers(account, '-' as never, at),
    }),
  }),
  'a deletion ignores what happened since the proof': inUseCases({
    accounts: ({ remove }) => ({ remove: async (id) => await remove(id) }),
  }),
  'a code of an authenticator counts twice': inStore({
    secondFactors: ({ takeStep, find }) => ({
      takeStep: async (id, taken) =>
        (await takeStep(id, taken)) === 'spent' && (await find(id))?.lastStep !== taken.step
          ? 'spent'
          : 'taken',
    }),
  }),
  'a confirmed factor is replaced by another set-up': inStore({
    secondFactors: ({ begin, remove }) => ({
      async begin(id, pending) {
        if ((await begin(id, pending)) === 'active') await remove(id)
        return await begin(id, pending)
      },
    }),
  }),
  'a login opens with the factor of the moment, not with the proved factor': inStore({
    sessions: withFactorNow,
  }),
  'a code of a removed factor counts for the next factor': inStore({
    secondFactors: ({ find, takeStep }) => ({
      takeStep: async (id, { step }) =>
        await takeStep(id, { step, since: (await find(id))?.activeSince ?? 0 }),
    }),
  }),
  'a step is compared, and stored then': inUseCases({
    secondFactors: ({ find, takeStep }) => ({
      async takeStep(id, taken) {
        const { lastStep = 0, activeSince } = (await find(id)) ?? {}
        if (activeSince !== taken.since || lastStep >= taken.step) return 'spent'
        await takeStep(id, taken)
        return 'taken'
      },
    }),
  }),
  'earlier recovery codes outlast their renewal': inStore({
    secondFactors: ({ takeStep, takeRecovery, find }) => ({
      async renewRecovery(id, { proof }) {
        const taking = proof.kind === 'step' ? takeStep(id, proof) : takeRecovery(id, proof.digest)
        return (await taking) === 'taken' && (await find(id)) ? 'renewed' : 'spent'
      },
    }),
  }),
  'a renewal of recovery codes spends no code': inStore({
    secondFactors: ({ find, renewRecovery }) => ({
      async renewRecovery(id, { proof, recovery }) {
        const { activeSince: since, lastStep = 0 } = (await find(id)) ?? {}
        const isNext = proof.kind === 'step' && since !== undefined && proof.step <= lastStep
        return await renewRecovery(id, {
          proof: isNext ? { kind: 'step', step: (lastStep + 1) as never, since } : proof,
          recovery,
        })
      },
    }),
  }),
  'an idempotency key has two owners': inUseCases({
    pets: ({ insert }) => ({
      insert: async (draft, idempotency) =>
        await (idempotency ? insert(draft, { ...idempotency, scope: 'all' }) : insert(draft)),
    }),
  }),
  'a reused idempotency key gives the earlier pet': inStore({
    pets: ({ insert }) => ({
      insert: async (draft, idempotency) =>
        await (idempotency ? insert(draft, { ...idempotency, fingerprint: '' }) : insert(draft)),
    }),
  }),
  'a pet is read, compared, and changed then': inUseCases({
    pets: ({ find, patch }) => ({
      async patch(id, change, expected) {
        const pet = await find(id)
        if (pet && expected && !expected.includes(pet.revision)) return { kind: 'stale' }
        return await patch(id, change)
      },
    }),
  }),
  'a removal ignores the revision': inStore({
    pets: ({ remove }) => ({ remove: async (id) => await remove(id) }),
  }),
  'a revoked API key stays in a cache': inUseCases({ apiKeys: cachedKeys }),
  'an impersonation outlives the logins of its actor': inStore({
    sessions: ({ open }) => ({
      open: async (session) => {
        await open(
          session.actor
            ? { ...session, actor: { ...session.actor, accountId: session.accountId, epoch: session.epoch } }
            : session,
        )
      },
    }),
  }),
  'an impersonation outlasts the role of its actor': inLapse(() => ({ actorRoles: [ADMIN] })),
  'an impersonation outlasts the promotion of the other account': inLapse(({ account }) => ({
    account: { ...account, roles: [] },
  })),
  'an impersonation outlasts the disabled account of its actor': inStore({ sessions: foundIfDisabled }),
  'an account that is disabled stays enabled': inStore({
    accounts: () => ({ setDisabled: async () => await Promise.resolve('set') }),
  }),
  'the limit of sessions ends the newest': inStore({
    sessions: ({ open, pageOf, end }) => ({
      async openWithLimit(session, most) {
        await open(session)
        const all = await pageOf({ accountId: session.accountId, limit: 100, at: session.createdAt })
        const others = all.filter(({ id }) => id !== session.id).slice(Math.max(0, most - 1))
        for (const { id } of others) await end(id)
        return others.length
      },
    }),
  }),
  'a recovery code is right as long as any is left': inUseCases({
    secondFactors: ({ find, takeRecovery }) => ({
      async takeRecovery(id, digest) {
        const left = (await find(id))?.recoveryLeft ?? 0
        await takeRecovery(id, digest)
        return left > 0 ? 'taken' : 'unknown'
      },
    }),
  }),
  'each instance has its own idempotency keys': inUseCases({ pets: ownKeys }),
  'a spent token never ends the session': inStore({
    sessions: ({ findById, rotate }) => ({
      async rotate(request) {
        const found = await findById(request.sessionId, request.at)
        const decided = decideRotation(found?.session, request)
        return decided.kind === 'replayed' ? { kind: 'mismatched' } : await rotate(request)
      },
    }),
  }),
  'a refresh whose answer was lost is taken for a replay': inStore({
    sessions: ({ rotate, end }) => ({
      async rotate(request) {
        const rotation = await rotate(request)
        if (rotation.kind !== 'superseded') return rotation
        await end(request.sessionId)
        return { kind: 'replayed' }
      },
    }),
  }),
  'concurrent attempts count once': inUseCases({ attempts: takenTogether }),
  'a right password counts as an attempt': inUseCases({
    attempts: () => ({ refund: async () => await Promise.resolve() }),
  }),
  'counts of attempts outlast their window': inStore({
    attempts: ({ take }) => ({
      take: async (counts, at) =>
        await take(
          counts.map(({ name, limit }) => ({ name, limit: { ...limit, window: 4 * limit.window } })),
          at,
        ),
    }),
  }),
  'an access token lives for as long as a refresh token': {
    parts: ({ tokens, ...parts }) => ({ ...parts, tokens: longLived(tokens as TokenSigner) }),
  },
  'the epoch moves before the password is set': inUseCases({
    accounts: ({ find, replaceHash }, { sessions }) => ({
      async setPassword(id, hash) {
        await sessions.endAllOf(id)
        const before = (await find(id))?.passwordHash
        if (before === undefined) return 'unknown'
        await replaceHash(id, before, hash)
        return 'set'
      },
    }),
  }),
}
