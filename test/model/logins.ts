import { LEEWAY, SECOND } from './rules.js'
import type { Account, Hold, Login, Pair, Role, World } from './world.js'

/** Whether the account lets logins of this epoch go on. */
export function isHeld({ account, epoch }: Hold): boolean {
  return account.state === 'enabled' && account.epoch === epoch
}

export function isStateful({ rules }: World): boolean {
  return rules.mode === 'stateful'
}

/** The pair of the newest generation. */
export function currentPair({ pairs }: Login): Pair {
  return pairs.at(-1)!
}

/** Whether it is of the newest generation. */
export function isCurrent(pair: Pair): boolean {
  return pair.number === currentPair(pair.login).number
}

function isPrevious(pair: Pair): boolean {
  return pair.number === currentPair(pair.login).number - 1
}

/** As a reader of a history knows it. */
export function nameOf({ login, number }: Pair): string {
  return `${login.name}.${number}`
}

/** Whether a session, or a login whose tokens can be revoked, goes on at this moment. */
export function isActive(world: World, login: Login): boolean {
  const isOver = login.isEnded || (isStateful(world) && world.now >= idleEnd(world, login))
  return !isOver && isHeld(login) && (!login.actor || isHeld(login.actor))
}

/** When a session ends if it is not refreshed again. */
export function idleEnd({ rules }: World, login: Login): number {
  return Math.min(login.endsAt, currentPair(login).issuedAt + rules.refreshToken)
}

/** Whether the window is open in which the previous generation is as good as the current one. */
function isInWindow({ now, rules }: World, login: Login): boolean {
  return rules.grace > 0 && now < login.windowEndsAt
}

/** Whether this cookie is the current key of its session, or the previous one inside the window. */
export function isGoodCookie(world: World, cookie: Pair): boolean {
  return isCurrent(cookie) || isPreviousInWindow(world, cookie)
}

/** Whether it is the current or the previous generation, whatever the window. */
export function isRecent(pair: Pair): boolean {
  return isCurrent(pair) || isPrevious(pair)
}

/** Whether it is the previous generation inside the window. */
export function isPreviousInWindow(world: World, pair: Pair): boolean {
  return isPrevious(pair) && isInWindow(world, pair.login)
}

export type Terms = { readonly account: Account; readonly endsAt: number; readonly actor?: Login['actor'] }

/** Begins a login, with its first pair. */
export function beginLogin(world: World, { account, endsAt, actor }: Terms): Pair {
  const login: Login = {
    name: `L${world.logins.length + 1}`,
    ...{ account, epoch: account.epoch, isEnded: false, pairs: [], windowEndsAt: 0 },
    // Tokens say it in whole seconds.
    endsAt: isStateful(world) ? endsAt : wholeSeconds(endsAt),
    ...(actor && { actor }),
  }
  world.logins.push(login)
  return addPair(world, login)
}

/** The next generation of a login. */
export function addPair(world: World, login: Login): Pair {
  login.windowEndsAt = world.now + world.rules.grace
  const pair = newPair(world, { login, number: login.pairs.length + 1, issuedAt: world.now })
  login.pairs.push(pair)
  world.pairs.push(pair)
  return pair
}

/** The same generation with the roles of now, which tokens say where there is no session. */
export function sameAgain(world: World, pair: Pair): Pair {
  if (isStateful(world) || areEqual(pair.roles, pair.login.account.roles)) return pair
  const again = newPair(world, pair)
  pair.login.pairs.splice(-1, 1, again)
  world.pairs.push(again)
  return again
}

type Generation = Pick<Pair, 'login' | 'number' | 'issuedAt'>

function newPair({ rules }: World, { login, number, issuedAt }: Generation): Pair {
  const expiry = (lifetime: number) =>
    Math.max(Math.min(wholeSeconds(issuedAt) + lifetime, wholeSeconds(login.endsAt)), later(issuedAt)) +
    LEEWAY
  return {
    ...{ login, number, issuedAt, roles: new Set(login.account.roles) },
    accessEndsAt: expiry(rules.accessToken),
    refreshEndsAt: expiry(rules.refreshToken),
  }
}

/** The end of a login that is in its last second. */
function later(issuedAt: number): number {
  return wholeSeconds(issuedAt) + SECOND
}

function wholeSeconds(time: number): number {
  return Math.floor(time / SECOND) * SECOND
}

function areEqual(one: ReadonlySet<Role>, other: ReadonlySet<Role>): boolean {
  return one.size === other.size && [...one].every((role) => other.has(role))
}
