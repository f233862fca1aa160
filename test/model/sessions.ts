import { done, enabledAccount, next, refused, sessionsThat, without, withRow } from './world.js'
import type { Account, Login, LoginProof, Moment, OperationId } from './world.js'
import type { Outcome, Rules, Session, Step, World } from './world.js'

/** A token's readable content; times are in seconds. */
export type Token = Readonly<{
  session: OperationId
  pair: OperationId
  account: number
  issued: number
  expires: number
}>

/** A cookie and an access token, which may be outdated. */
export type Credentials = Readonly<{ key?: string | undefined; access?: Token | undefined }>

/** The members of an identity that a client can see. */
export type Seen = Readonly<{ account: number; session: OperationId; roles: string; actor: number }>

/** The reply to a login or a refresh. */
export type Issued = Seen & Readonly<{ key: string; access: Token; refresh: Token; endsAt: number }>

const LEEWAY = 5
const CLOCK_LEEWAY = 30

/** A token is early until 30 seconds before its time of issue, and expired from 5 seconds after its end. */
export function stateOf(token: Token, now: number): 'early' | 'valid' | 'expired' {
  if (now / 1000 >= token.expires + LEEWAY) return 'expired'
  return now / 1000 < token.issued - CLOCK_LEEWAY ? 'early' : 'valid'
}

/** Returns the account of a login, or `undefined` if the account's logins have ended. */
export function accountOf(world: World, { account: id, epoch }: Omit<Login, 'endsAt'>): Account | undefined {
  const account = enabledAccount(world, id)
  return account?.epoch === epoch ? account : undefined
}

export function isActive(world: World, session: Session | undefined, now: number): session is Session {
  if (!session || !isKept(world, session)) return false
  return now < Math.min(session.endsAt, session.current.at + world.rules.refreshToken)
}

/** Whether the account and the actor allow the session to be active. */
const isKept = (world: World, session: Session): boolean =>
  [session, session.actor ?? session].every((login) => accountOf(world, login))

/** Returns the active session with this current cookie or, inside the grace window, with this previous cookie. */
export function openedBy(world: World, key: string | undefined, now: number): OperationId | undefined {
  const holds = (one: Session) => one.current.key === key || keyInWindow(one, now) === key
  const [id] = key === undefined ? [] : sessionsThat(world, holds)
  return id !== undefined && isActive(world, world.sessions[id], now) ? id : undefined
}

function keyInWindow({ previous }: Session, now: number): string | undefined {
  return previous && now < previous.until ? previous.key : undefined
}

/** The login that the earlier steps of an operation have verified. */
export type Proved = Pick<Session, 'account' | 'epoch' | 'factor' | 'actor'> & {
  readonly roles: string
  /** The absolute end of the login; set if the login replaces another login. */
  readonly endsAt?: number
  /** When the owner proved their identity; set if the login replaces another login. */
  readonly proved?: LoginProof
}

/** The caller's own login, after an operation has verified the session. */
export type Own = Proved & Login & Pick<Session, 'proved'> & Found
type Found = { readonly session: OperationId; readonly isLapsed: boolean }
export type OwnStep<Input = unknown, More = unknown> = Step<Input, Own & More>

export function ownOf(world: World, id: OperationId): Own {
  const { account, epoch, endsAt, factor, actor, proved: stored } = world.sessions[id] as Session
  const roles = rolesOf(world, account, factor, actor)
  // An impersonation ends when the actor is no longer an administrator, or the impersonated account becomes one.
  const isAdmin = (one: number) => world.accounts[one]?.roles.includes('admin') === true
  const isLapsed = actor !== undefined && (!isAdmin(actor.account) || isAdmin(account))
  const isKnown = factor !== undefined && factor === activeFactor(world, account)
  const proved = isKnown ? stored : { at: stored.at }
  return { session: id, account, epoch, endsAt, factor, actor, roles, isLapsed, proved }
}

/** Returns the secret of the account's active second factor. */
export const activeFactor = ({ accounts }: World, id: number) =>
  accounts[id]?.factor?.isActive ? accounts[id].factor.secret : undefined

/** Returns the effective roles of a login with this factor. A removed factor never becomes effective again. */
export function rolesOf(world: World, id: number, factor?: OperationId, actor?: unknown): string {
  const isProved = factor !== undefined && (actor !== undefined || factor === activeFactor(world, id))
  const roles = world.accounts[id]?.roles ?? []
  return roles.filter((role) => !world.rules.isFactorNeeded || isProved || role !== 'admin').join()
}

export const endLapsed: OwnStep = (world, _, { note }) =>
  note.isLapsed ? refused(without(world, 'sessions', note.session), 'invalid-token') : next(world, note)

/** A login ends the session of the cookie that is sent with it. */
const seeOldSession: Step<Credentials, Proved> = (world, { key }, { now, note }) =>
  next(world, { ...note, old: openedBy(world, key, now) })

const endOldSession: Step<unknown, { readonly old?: OperationId }> = (world, _, { note }) =>
  next(note.old === undefined ? world : without(world, 'sessions', note.old), note)

/** If all logins of the account end while a login is being verified, the new login is invalid, although the client gets it. */
export const openSession: Step<unknown, Proved> = (world, _, { now, id, note }) => {
  const { account, epoch, roles, factor, actor, endsAt = now + world.rules.session } = note
  const current = { number: 1, pair: id, key: `${id}:1`, at: now }
  const { proved = { at: now, factorAt: factor === undefined ? undefined : now } } = note
  const session = { account, epoch, createdAt: now, endsAt, current, factor, actor, proved }
  const opened = isKept(world, session) ? withRow(ended(world, session), 'sessions', id, session) : world
  return done(opened, issuedBy(world.rules, session, { session: id, roles }))
}

/** The steps of every login after the account has been verified. */
export const startLogin = [seeOldSession, endOldSession, openSession]

/** If the account has the maximum number of sessions, its oldest sessions end. */
function ended(world: World, { account, createdAt, actor }: Session): World {
  const { sessionLimit } = world.rules
  if (sessionLimit === undefined || actor) return world
  const isCounted = (one: Session) => one.account === account && !one.actor && isActive(world, one, createdAt)
  const begun = (id: OperationId) => world.sessions[id]?.createdAt ?? 0
  const all = sessionsThat(world, isCounted).sort((a, b) => begun(a) - begun(b) || (a < b ? -1 : 1))
  return without(world, 'sessions', ...all.slice(0, Math.max(0, all.length - sessionLimit + 1)))
}

/** The reply with the tokens of the current generation. */
export function issuedBy(
  rules: Rules,
  login: Session,
  { session, roles }: Pick<Own, 'session' | 'roles'>,
): Issued {
  const { account, endsAt, current, actor } = login
  const { pair, key, at } = current
  const issued = Math.floor(at / 1000)
  const token = (lifetime: number): Token => {
    const end = Math.floor(Math.min(at + lifetime, endsAt) / 1000)
    // A token lives for at least one second, even if its session ends earlier.
    return { session, pair, account, issued, expires: Math.max(issued + 1, end) }
  }
  const [access, refresh] = [token(rules.accessToken), token(rules.refreshToken)]
  return { account, session, roles, actor: actor?.account ?? 0, key, access, refresh, endsAt }
}

type Refresh = Credentials & { readonly refresh: Token | undefined }

/** The caller's roles are read before the session changes. */
const seeSession: Step<Refresh> = (world, { refresh, access, key }, { now }) => {
  const session = refresh && world.sessions[refresh.session]
  if (!refresh || stateOf(refresh, now) !== 'valid' || !isActive(world, session, now))
    return refused(world, 'invalid-token')
  if (access && (access.session !== refresh.session || stateOf(access, now) === 'early'))
    return refused(world, 'invalid-token')
  const isOther = (openedBy(world, key, now) ?? refresh.session) !== refresh.session
  return isOther ? refused(world, 'invalid-token') : next(world, ownOf(world, refresh.session))
}

const rotate: OwnStep<Refresh> = (world, { refresh, key }, { now, id, note }) => {
  const { session: at, pair } = refresh as Token
  const [session, { rules }] = [world.sessions[at], world]
  if (!isActive(world, session, now)) return refused(world, 'invalid-token')
  const { current, previous } = session
  const hasGrace = rules.grace > 0
  const isGood = isKeyOf(world, session, key, now)
  if (pair !== current.pair && hasGrace && isGood) return done(world, issuedBy(rules, session, note))
  if (pair === current.pair && isGood) return rotated(world, at, { now, id, note })
  const isSpent = pair !== current.pair && !(hasGrace && previous?.pair === pair && now < previous.until)
  return refused(isSpent ? without(world, 'sessions', at) : world, 'invalid-token')
}

/** Returns whether this is the session's current key or, inside the grace window, its previous key. */
export const isKeyOf = ({ rules }: World, session: Session, key: string | undefined, now: number) =>
  key !== undefined && (key === session.current.key || (rules.grace > 0 && key === keyInWindow(session, now)))

/** Starts the next generation of the session; `changes` may return further changes to the session. */
export function rotated(
  world: World,
  at: OperationId,
  { now, id, note }: Moment<Own>,
  changes: (number: number) => Partial<Session> = () => ({}),
): readonly Outcome[] {
  const session = world.sessions[at] as Session
  const { number, pair, key } = session.current
  const current = { number: number + 1, pair: id, key: `${at}:${number + 1}`, at: now }
  const until = world.rules.grace > 0 ? now + world.rules.grace : 0
  const moved = { ...session, current, previous: { pair, key, until }, ...changes(number + 1) }
  return done(withRow(world, 'sessions', at, moved), issuedBy(world.rules, moved, note))
}

/** A logout needs the session's current or previous key, even after the grace window, and its access token, which may have expired. */
const judgeLogout: Step<Credentials> = (world, { key, access }, { now }) => {
  if (access === undefined) return key === undefined ? done(world) : refused(world, 'invalid-token')
  if (stateOf(access, now) === 'early') return refused(world, 'invalid-token')
  const [opened, named] = [openedBy(world, key, now), world.sessions[access.session]]
  if (opened === undefined && !isActive(world, named, now)) return done(world)
  const isOwn =
    opened === undefined ? key !== undefined && named?.previous?.key === key : opened === access.session
  return isOwn ? next(world, access.session) : refused(world, 'invalid-token')
}

const end: Step<unknown, OperationId> = (world, _, { note }) => done(without(world, 'sessions', note))

export const sessionRules = { refresh: [seeSession, endLapsed, rotate], logout: [judgeLogout, end] }
