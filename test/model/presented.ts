import { forbidden, invalidToken, loggedIn, type Allowed } from './reply.js'
import { isActive, isGoodCookie, isHeld, isStateful } from './logins.js'
import type { Login, Pair, Role, World } from './world.js'

/** Credentials of identity routes: of any generation of any login, or made up. */
export type Credential = Pair | 'forged' | undefined
export type Presented = { readonly cookie?: Credential; readonly bearer?: Credential }

/** Who is proved to ask, by which login. */
export type Caller = { readonly login: Login; readonly roles: ReadonlySet<Role> }

/** Whether a bearer token is refused before anything is done: made up, or expired where that is held against it. */
export function isBadBearer({ now }: World, bearer: Credential, expired: 'refused' | 'accepted'): boolean {
  if (bearer === undefined) return false
  return bearer === 'forged' || (expired === 'refused' && now >= bearer.accessEndsAt)
}

/** The session that a cookie opens. */
export function opened(world: World, cookie: Credential): Login | undefined {
  if (cookie === undefined || cookie === 'forged' || !isStateful(world)) return undefined
  return isActive(world, cookie.login) && isGoodCookie(world, cookie) ? cookie.login : undefined
}

/** Whose credentials these are, `undefined` where it is a 401. */
export function authenticate(world: World, { cookie, bearer }: Presented): Caller | undefined {
  if (bearer === undefined || bearer === 'forged' || world.now >= bearer.accessEndsAt) return undefined
  const { login } = bearer
  if (!isStateful(world)) return isCarried(world, bearer) ? { login, roles: bearer.roles } : undefined
  if (opened(world, cookie) !== login || endsLapsed(login)) return undefined
  return { login, roles: login.account.roles }
}

/** Without sessions the token says it, unless what it says can be revoked. */
function isCarried(world: World, { login }: Pair): boolean {
  if (world.rules.mode === 'stateless') return true
  return isActive(world, login) && !endsLapsed(login)
}

/** An impersonation whose permission is gone: one use of it ends it (7.1). */
export function endsLapsed(login: Login): boolean {
  const { actor, account } = login
  if (!actor || (isAdministrator(actor.account.roles) && !isAdministrator(account.roles))) return false
  if (isHeld(actor) && isHeld(login)) login.isEnded = true
  return true
}

export function isAdministrator(roles: ReadonlySet<Role>): boolean {
  return roles.has('admin')
}

function whoOf({ login, roles }: Caller) {
  return { user: login.account, userAs: login.actor?.account, roles }
}

/** A new pair as a reply gives it out. */
export function issued(world: World, pair: Pair, refreshed = false): Allowed {
  const { login } = pair
  const roles = isStateful(world) ? login.account.roles : pair.roles
  const cookie = isStateful(world) ? ({ cookie: 'set' } as const) : {}
  return { ...loggedIn(whoOf({ login, roles }), { pair, refreshed }), ...cookie }
}

/** GET get-identity. */
export function getIdentity(world: World, presented: Presented): Allowed {
  const caller = authenticate(world, presented)
  return caller ? loggedIn(whoOf(caller)) : invalidToken()
}

/** The caller of what concerns its own account alone. */
export function ownCaller(world: World, presented: Presented): Caller | Allowed {
  const caller = authenticate(world, presented)
  if (!caller) return invalidToken()
  return caller.login.actor ? forbidden() : caller
}

export function isCaller(found: Caller | Allowed): found is Caller {
  return 'login' in found
}
