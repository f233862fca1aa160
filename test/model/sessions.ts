import { done, next, refused, withoutSession, withSession } from './world.js'
import type { Generation, Made, Session, Step, World } from './world.js'

/** A token as its holder reads it; times in seconds. */
export type Token = {
  readonly session: Made
  readonly pair: Made
  readonly account: number
  readonly issued: number
  readonly expires: number
}

/** A cookie and an access token, both of any age. */
export type Credentials = { readonly key?: string | undefined; readonly access?: Token | undefined }

/** The part of an identity that a client sees. */
export type Seen = {
  readonly account: number
  readonly session: Made
  readonly roles: string
  readonly actor: number
}

/** The answer of a login or a refresh. */
export type Issued = Seen & {
  readonly key: string
  readonly access: Token
  readonly refresh: Token
  readonly endsAt: number
}

const LEEWAY = 5

/** A token is early until 5 seconds before it was issued, and expired from 5 seconds after its end. */
export function stateOf(token: Token, now: number): 'early' | 'valid' | 'expired' {
  if (now / 1000 >= token.expires + LEEWAY) return 'expired'
  return now / 1000 < token.issued - LEEWAY ? 'early' : 'valid'
}

export function isActive({ accounts }: World, session: Session | undefined, now: number): session is Session {
  return !!session && now < session.endsAt && now < session.current.idleEndsAt && isKept(accounts, session)
}

/** Whether the accounts let the session be active. */
function isKept(accounts: World['accounts'], session: Session): boolean {
  return isAlive(accounts, session) && (!session.actor || isAlive(accounts, session.actor))
}

function isAlive(accounts: World['accounts'], login: { account: number; epoch: number }): boolean {
  const account = accounts[login.account]
  return account !== undefined && !account.disabled && account.epoch === login.epoch
}

/** The active session that this cookie opens: the current one, or the previous one inside the grace window. */
function openedBy(world: World, key: string | undefined, now: number): Made | undefined {
  for (const id of Object.keys(world.sessions)) {
    const session = world.sessions[id] as Session
    if (session.current.key !== key && keyInWindow(session, now) !== key) continue
    return isActive(world, session, now) ? id : undefined
  }
  return undefined
}

function keyInWindow({ previous }: Session, now: number): string | undefined {
  return previous && now < previous.until ? previous.key : undefined
}

/** The login that the first steps of an operation have proved, or its loss. */
export type Own = {
  readonly session: Made
  readonly account: number
  readonly epoch: number
  readonly endsAt: number
  readonly roles: string
  readonly factor?: Made | undefined
  readonly actor?: Session['actor']
  readonly isLapsed: boolean
}

/** Cookie and bearer prove a session together. */
const proveLogin: Step<Credentials> = (world, { key, access }, { now }) => {
  if (access === undefined && key === undefined) return refused(world, 'unauthenticated')
  const id = key === undefined ? undefined : openedBy(world, key, now)
  if (id === undefined || id !== access?.session || stateOf(access, now) !== 'valid')
    return refused(world, 'invalid-token')
  return next(world, ownOf(world, id))
}

function ownOf(world: World, id: Made): Own {
  const { account, epoch, endsAt, factor, actor } = world.sessions[id] as Session
  const roles = rolesOf(world, account, factor, actor)
  return { session: id, account, epoch, endsAt, factor, actor, roles, isLapsed: isLapsed(world, id) }
}

/** An impersonation lasts while the actor may act, and the other account may not. */
function isLapsed({ accounts, sessions }: World, id: Made): boolean {
  const { actor, account } = sessions[id] as Session
  const isAdmin = (one: number) => accounts[one]?.roles.includes('admin') === true
  return actor !== undefined && (!isAdmin(actor.account) || isAdmin(account))
}

const endLapsed: Step<unknown> = (world, _, { note }) => {
  const { isLapsed, session } = note as Own
  return isLapsed ? refused(withoutSession(world, session), 'invalid-token') : next(world, note)
}

/** The first steps of an operation on the own login, also while it is another account that acts. */
export const own = [proveLogin, endLapsed]

/** The roles that count in a login with this factor: a factor that was removed never counts again. */
export function rolesOf({ accounts, rules }: World, id: number, factor?: Made, actor?: unknown): string {
  const account = accounts[id]
  const active = account?.factor?.isActive ? account.factor.secret : undefined
  const isProved = factor !== undefined && (actor !== undefined || factor === active)
  const roles = account?.roles ?? []
  return roles.filter((role) => !rules.isFactorNeeded || isProved || role !== 'admin').join()
}

const isSame = (one: Seen, other: Seen) =>
  one.account === other.account &&
  one.session === other.session &&
  one.roles === other.roles &&
  one.actor === other.actor

const seeIdentity: Step<unknown> = (world, _, { note }) => {
  const { account, session, roles, actor } = note as Own
  return done(world, (answer: Seen) =>
    isSame(answer, { account, session, roles, actor: actor?.account ?? 0 }),
  )
}

export const getIdentity = [...own, seeIdentity]

/** The login that the earlier steps of an operation have proved. */
export type Proved = {
  readonly account: number
  readonly epoch: number
  readonly roles: string
  /** The absolute end, if the login replaces another login. */
  readonly endsAt?: number
  readonly factor?: Made | undefined
  readonly actor?: Session['actor']
}

/** A login ends the session of a cookie that is sent along. */
const seeOldSession: Step<Credentials> = (world, { key }, { now, note }) => {
  const old = key === undefined ? undefined : openedBy(world, key, now)
  return next(world, { ...(note as Proved), old })
}

const endOldSession: Step<unknown> = (world, _, { note }) => {
  const { old } = note as { readonly old?: Made }
  return next(old === undefined ? world : withoutSession(world, old), note)
}

/** A login that was proved before all logins of its account ended is dead, although it is answered. */
export const openSession: Step<unknown> = (world, _, { now, id, note }) => {
  const { account, epoch, roles, factor, actor, endsAt = now + world.rules.session } = note as Proved
  const current = generation(world, { number: 1, root: id, pair: id, now, endsAt })
  const session = { account, epoch, createdAt: now, endsAt, current, factor, actor }
  const opened = isKept(world.accounts, session) ? withSession(ended(world, session), id, session) : world
  return done(opened, (answer: Issued) => isPairOf(answer, id, session, roles))
}

/** The steps of every login whose account is proved. */
export const startLogin = [seeOldSession, endOldSession, openSession]

/** The oldest sessions end if the account has as many sessions as it may have. */
function ended(world: World, { account, createdAt, actor }: Session): World {
  const { sessionLimit } = world.rules
  if (sessionLimit === undefined || actor) return world
  const others = Object.entries(world.sessions)
    .filter(([, one]) => one.account === account && !one.actor && isActive(world, one, createdAt))
    .sort(([one, a], [other, b]) => a.createdAt - b.createdAt || (one < other ? -1 : 1))
  const over = others.slice(0, Math.max(0, others.length - sessionLimit + 1))
  return over.reduce((left, [id]) => withoutSession(left, id), world)
}

type Born = {
  readonly number: number
  readonly root: Made
  readonly pair: Made
  readonly now: number
  readonly endsAt: number
}

function generation(world: World, { number, root, pair, now, endsAt }: Born): Generation {
  const { accessToken, refreshToken } = world.rules
  const [accessEndsAt, idleEndsAt] = [
    Math.min(now + accessToken, endsAt),
    Math.min(now + refreshToken, endsAt),
  ]
  return { number, pair, key: `${root}:${number}`, at: now, accessEndsAt, idleEndsAt }
}

function isPairOf(
  answer: Issued,
  id: Made,
  { account, endsAt, current, actor }: Session,
  roles: string,
): boolean {
  const { access, refresh } = answer
  const at = Math.floor(current.at / 1000)
  // A token has a lifetime, even if its session ends within the same second.
  const isRight = ({ session, pair, account: subject, issued, expires }: Token, ends: number) =>
    session === id &&
    pair === current.pair &&
    subject === account &&
    issued === at &&
    expires === Math.max(at + 1, Math.floor(ends / 1000))
  return (
    isSame(answer, { account, session: id, roles, actor: actor?.account ?? 0 }) &&
    answer.key === current.key &&
    answer.endsAt === endsAt &&
    isRight(access, current.accessEndsAt) &&
    isRight(refresh, current.idleEndsAt)
  )
}

export type Refresh = Credentials & { readonly refresh: Token | undefined }

/** The caller's roles are seen before the session moves on. */
const seeSession: Step<Refresh> = (world, { refresh, access, key }, { now }) => {
  const session = refresh && world.sessions[refresh.session]
  if (!refresh || stateOf(refresh, now) !== 'valid' || !isActive(world, session, now))
    return refused(world, 'invalid-token')
  if (access && (access.session !== refresh.session || stateOf(access, now) === 'early'))
    return refused(world, 'invalid-token')
  const other = key === undefined ? undefined : openedBy(world, key, now)
  if (other !== undefined && other !== refresh.session) return refused(world, 'invalid-token')
  return next(world, ownOf(world, refresh.session))
}

const rotate: Step<Refresh> = (world, { refresh, key }, { now, id, note }) => {
  const { session: at, pair } = refresh as Token
  const session = world.sessions[at]
  if (!isActive(world, session, now)) return refused(world, 'invalid-token')
  const { roles } = note as { readonly roles: string }
  const { current, previous, endsAt } = session
  const hasGrace = world.rules.grace > 0
  const isGood = key !== undefined && (key === current.key || (hasGrace && key === keyInWindow(session, now)))
  if (pair !== current.pair && hasGrace && isGood)
    return done(world, (answer: Issued) => isPairOf(answer, at, session, roles))
  if (pair === current.pair && isGood) {
    const born = generation(world, { number: current.number + 1, root: at, pair: id, now, endsAt })
    const until = hasGrace ? now + world.rules.grace : 0
    const moved = { ...session, current: born, previous: { pair, key: current.key, until } }
    return done(withSession(world, at, moved), (answer: Issued) => isPairOf(answer, at, moved, roles))
  }
  const isSpent = pair !== current.pair && !(hasGrace && previous?.pair === pair && now < previous.until)
  return refused(isSpent ? withoutSession(world, at) : world, 'invalid-token')
}

export const refresh = [seeSession, endLapsed, rotate]

/** The current or the previous key of the session, also after the window, with its bearer, which may have expired. */
const judgeLogout: Step<Credentials> = (world, { key, access }, { now }) => {
  if (access === undefined) return key === undefined ? done(world) : refused(world, 'invalid-token')
  if (stateOf(access, now) === 'early') return refused(world, 'invalid-token')
  const opened = key === undefined ? undefined : openedBy(world, key, now)
  if (opened !== undefined)
    return opened === access.session ? next(world, opened) : refused(world, 'invalid-token')
  const named = world.sessions[access.session]
  if (!isActive(world, named, now)) return done(world)
  return key !== undefined && named.previous?.key === key
    ? next(world, access.session)
    : refused(world, 'invalid-token')
}

const end: Step<unknown> = (world, _, { note }) => done(withoutSession(world, note as Made))

export const logout = [judgeLogout, end]
