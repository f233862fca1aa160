import { attempt } from './limits.js'
import { beginLogin, isActive, isRecent, isStateful } from './logins.js'
import { refusedPassword } from './own-account.js'
import {
  authenticate,
  isAdministrator,
  isBadBearer,
  isCaller,
  issued,
  opened,
  ownCaller,
  type Caller,
  type Presented,
} from './presented.js'
import {
  forbidden,
  invalidToken,
  loggedOut,
  loginFailed,
  noProject,
  plain,
  refused,
  tooMany,
  type Allowed,
} from './reply.js'
import { IMPERSONATION } from './rules.js'
import { setPassword, type Account, type Login, type World } from './world.js'

export type Guess = Presented & {
  readonly email: string
  readonly password: string
  /** Where it comes from. */
  readonly network: string
}

/** The account of an email as it is stored, as long as there is one. */
export function accountOf({ accounts }: World, email: string): Account | undefined {
  const stored = email.trim().toLowerCase()
  return accounts.find((account) => account.email === stored && account.state !== 'deleted')
}

/** POST login (3.2). */
export function login(world: World, { email, password, network, cookie, bearer }: Guess): Allowed {
  if (isBadBearer(world, bearer, 'refused')) return invalidToken()
  const missing = ['email', 'password'].filter((field) => ({ email, password })[field] === '')
  if (missing.length > 0)
    return refused(401, ...missing.map((field) => ({ type: 'Required', message: 'required', field })))
  const counted = attempt(world, email.trim().toLowerCase(), network)
  if (counted.kind === 'refused') return tooMany(counted.seconds)
  const account = accountOf(world, email)
  if (account?.state !== 'enabled' || account.password !== password) return loginFailed()
  counted.refund()
  const replaced = opened(world, cookie)
  if (replaced) replaced.isEnded = true
  return issued(world, beginLogin(world, { account, endsAt: world.now + world.rules.session }))
}

/** POST logout (3.2, 7.1). */
export function logout(world: World, { cookie, bearer }: Presented): Allowed {
  if (isBadBearer(world, bearer, 'accepted')) return invalidToken()
  const named = bearer === undefined || bearer === 'forged' ? undefined : bearer.login
  if (!isStateful(world)) return logoutByToken(world, named)
  const cleared = cookie === undefined ? undefined : 'cleared'
  if (!named) return cookie === undefined ? loggedOut() : invalidToken()
  const other = opened(world, cookie)
  if (other && other !== named) return invalidToken()
  if (!isActive(world, named)) return loggedOut(cleared)
  if (cookie === undefined || cookie === 'forged' || cookie.login !== named || !isRecent(cookie))
    return invalidToken()
  named.isEnded = true
  return loggedOut(cleared)
}

function logoutByToken({ rules }: World, named: Login | undefined): Allowed {
  if (named && rules.mode === 'stateless-revocable') named.isEnded = true
  return loggedOut()
}

export type Change = Presented & {
  readonly password: string
  readonly newPassword: string
  readonly network: string
}

/** POST change-password: all logins of the account end, and a new one takes the place of this one. */
export function changePassword(
  world: World,
  { password, newPassword, network, ...presented }: Change,
): Allowed {
  const caller = ownCaller(world, presented)
  if (!isCaller(caller)) return caller
  const { account, endsAt } = caller.login
  if (newPassword === password) return refused(400, { type: 'NotValid', field: 'newPassword' })
  const refusal = refusedPassword(world, caller, { password, network })
  if (refusal) return refusal
  setPassword(account, newPassword)
  return issued(world, beginLogin(world, { account, endsAt }))
}

/** POST project/create: for roles that are permitted it. */
export function createProject(world: World, presented: Presented): Allowed {
  const caller = authenticate(world, presented)
  if (!caller) return noProject(401)
  return caller.roles.has('project-editor') || isAdministrator(caller.roles) ? plain(201) : noProject(403)
}

/** POST login-as (3.5). */
export function loginAs(world: World, presented: Presented, userId: number): Allowed {
  const caller = authenticate(world, presented)
  if (!caller) return invalidToken()
  if (world.rules.mode === 'stateless' || caller.login.actor || !isAdministrator(caller.roles))
    return forbidden()
  if (userId === caller.login.account.id) return refused(400, { type: 'NotValid' })
  const account = world.accounts.find(({ id, state }) => id === userId && state === 'enabled')
  if (!account) return refused(404, { type: 'NotFound' })
  return isAdministrator(account.roles) ? forbidden() : actAs(world, caller, account)
}

function actAs(world: World, { login: own }: Caller, account: Account): Allowed {
  own.isEnded = true
  const actor = { account: own.account, epoch: own.epoch, endsAt: own.endsAt }
  const endsAt = Math.min(world.now + IMPERSONATION, own.endsAt)
  return issued(world, beginLogin(world, { account, endsAt, actor }))
}

/** POST logout-as: back to a login of the administrator's own. */
export function logoutAs(world: World, presented: Presented): Allowed {
  const caller = authenticate(world, presented)
  if (!caller) return invalidToken()
  const { actor } = caller.login
  if (!actor) return forbidden()
  caller.login.isEnded = true
  return issued(world, beginLogin(world, { account: actor.account, endsAt: actor.endsAt }))
}
