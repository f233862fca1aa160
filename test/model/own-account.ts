import { attempt } from './limits.js'
import { currentPair, isActive, isHeld, isStateful } from './logins.js'
import { isCaller, ownCaller, type Caller, type Presented } from './presented.js'
import { invalidToken, loggedOut, notValid, plain, refused, tooMany, type Allowed } from './reply.js'
import { bumpEpoch, type Account, type Login, type World } from './world.js'

/** Why the own password, which is asked for once more, is not accepted; it is counted like that of a login. */
export function refusedPassword(
  world: World,
  { login }: Caller,
  { password, network }: { readonly password: string; readonly network: string },
): Allowed | undefined {
  const counted = attempt(world, login.account.email, network)
  if (counted.kind === 'refused') return tooMany(counted.seconds)
  if (isHeld(login) && login.account.password !== password) return notValid('password')
  counted.refund()
  return isHeld(login) ? undefined : invalidToken()
}

export type Deletion = Presented & { readonly password: string; readonly network: string }

/** POST delete-account: for good, with all that is there of it. */
export function deleteAccount(world: World, { password, network, ...presented }: Deletion): Allowed {
  const caller = ownCaller(world, presented)
  if (!isCaller(caller)) return caller
  const refusal = refusedPassword(world, caller, { password, network })
  if (refusal) return refusal
  const { account } = caller.login
  account.state = 'deleted'
  bumpEpoch(account)
  return loggedOut(isStateful(world) ? 'cleared' : undefined)
}

/** How a route answers that is not there without sessions. */
function noRoute(): Allowed {
  return refused(404, { type: 'NotFound' })
}

/** GET sessions: pages of the active ones of the own account, the oldest first. */
export function listSessions(world: World, presented: Presented, limit: number): readonly Allowed[] {
  if (!isStateful(world)) return [noRoute()]
  const caller = ownCaller(world, presented)
  if (!isCaller(caller)) return [caller]
  const all = activeOf(world, caller.login.account).map((login) => shownSession(login, caller.login))
  const starts = Array.from({ length: Math.ceil(all.length / limit) }, (_, page) => page * limit)
  return starts.map((start) => {
    const sessions = all.slice(start, start + limit)
    const next = start + limit < all.length ? /^http:.*\bcursor=/ : undefined
    return plain(200, succeeded({ sessions }), { 'x-next': next })
  })
}

function activeOf(world: World, account: Account): readonly Login[] {
  const active = world.logins.filter((login) => login.account === account && isActive(world, login))
  return active.sort((one, other) => beganAt(one) - beganAt(other) || (idOf(one) < idOf(other) ? -1 : 1))
}

function beganAt({ pairs }: Login): number {
  return pairs[0]!.issuedAt
}

/** Of an administrator who acts in it no more is told than that. */
function shownSession(login: Login, own: Login): object {
  const { issuedAt, network } = currentPair(login)
  return {
    id: idOf(login),
    createdAt: isoTime(beganAt(login)),
    refreshedAt: isoTime(issuedAt),
    network: login.actor ? null : network,
    client: null,
    current: login === own,
    impersonated: login.actor !== undefined,
  }
}

/** The `sid` of its tokens, which any holder can read. */
export function idOf(login: Login): string {
  const [, , payload = ''] = /^(v4\.public|[^.]+)\.([^.]+)/.exec(currentPair(login).text?.jwt ?? '') ?? []
  const text = Buffer.from(payload, 'base64url').toString('latin1')
  return /"sid":"([\w-]+)"/.exec(text)?.[1] ?? 'unknown'
}

function isoTime(time: number): string {
  return new Date(time).toISOString()
}

/** The envelope of what is no identity reply. */
function succeeded(view: object): object {
  return { code: 200, response: true, view: { ...view, messages: [] } }
}

/** What POST sessions/end names: a session of any account, one that never was, all others, or nothing. */
export type Ending = Login | 'forged' | 'others' | undefined

/** POST sessions/end. */
export function endSessions(world: World, presented: Presented, which: Ending): Allowed {
  if (!isStateful(world)) return noRoute()
  const caller = ownCaller(world, presented)
  if (!isCaller(caller)) return caller
  if (which === undefined) return refused(400, { type: 'NotValid' })
  if (which === 'others') return ended(endOthers(world, caller.login))
  const { account } = caller.login
  if (which === 'forged' || which.account !== account || !isActive(world, which))
    return refused(404, { type: 'NotFound' })
  which.isEnded = true
  return { ...ended(1), ...(which === caller.login && { cookie: 'cleared' }) }
}

function ended(count: number): Allowed {
  return plain(200, succeeded({ ended: count }))
}

/** Those also in which the account acts as another one. */
function endOthers(world: World, { account, ...own }: Login): number {
  const others = world.logins.filter(
    (login) =>
      login.name !== own.name &&
      (login.account === account || login.actor?.account === account) &&
      isActive(world, login),
  )
  for (const login of others) login.isEnded = true
  return others.length
}
