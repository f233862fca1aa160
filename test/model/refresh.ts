import { invalidToken, refused, type Allowed } from './reply.js'
import {
  addPair,
  currentPair,
  isActive,
  isCurrent,
  isGoodCookie,
  isHeld,
  isPreviousInWindow,
  isStateful,
  sameAgain,
} from './logins.js'
import { endsLapsed, isBadBearer, issued, opened, type Credential, type Presented } from './presented.js'
import type { Login, Pair, World } from './world.js'

export type Refreshing = Presented & { readonly token: Credential }

/** POST refresh (3.3, 7.1). */
export function refresh(world: World, { token, cookie, bearer }: Refreshing): Allowed {
  if (isBadBearer(world, bearer, 'accepted')) return invalidToken()
  if (token === undefined)
    return refused(401, { type: 'Required', message: 'required', field: 'refreshToken' })
  if (token === 'forged' || world.now >= token.refreshEndsAt) return invalidToken()
  if (bearer !== undefined && bearer !== 'forged' && bearer.login !== token.login) return invalidToken()
  return isStateful(world) ? refreshSession(world, token, cookie) : refreshLogin(world, token)
}

function refreshSession(world: World, token: Pair, cookie: Credential): Allowed {
  const { login } = token
  if (!isActive(world, login)) return invalidToken()
  const other = opened(world, cookie)
  if (other && other !== login) return invalidToken()
  if (endsLapsed(login)) return invalidToken()
  const isGood = isOf(login, cookie) && isGoodCookie(world, cookie)
  if (isCurrent(token)) return isGood ? issued(world, addPair(world, login), true) : invalidToken()
  if (isGood && world.rules.grace > 0) return issued(world, currentPair(login), true)
  return isPreviousInWindow(world, token) ? invalidToken() : replayed(login)
}

function isOf(login: Login, cookie: Credential): cookie is Pair {
  return cookie !== undefined && cookie !== 'forged' && cookie.login === login
}

/** Without sessions: the account is looked up; each token is good again and again where nothing can be revoked. */
function refreshLogin(world: World, token: Pair): Allowed {
  const { login } = token
  const isRevocable = world.rules.mode === 'stateless-revocable'
  if (world.now >= login.endsAt || !isHeld(login)) return invalidToken()
  if (isRevocable && (!isActive(world, login) || endsLapsed(login))) return invalidToken()
  if (!isRevocable || isCurrent(token)) return issued(world, addPair(world, login), true)
  if (isPreviousInWindow(world, token)) return issued(world, sameAgain(world, currentPair(login)), true)
  return replayed(login)
}

/** A spent token: the whole login is over. */
function replayed(login: Login): Allowed {
  login.isEnded = true
  return invalidToken()
}
