import { expect } from 'chai'
import type { Reply } from './client.js'
import { type TestService } from './service.js'
import { identityWith, newcomer, refreshWith, type Browser, type Held } from './browser.js'
import { expectInvalidToken, loggedIn } from './expected.js'

export const LOGIN_AS = '/api/auth/login-as'
export const LOGOUT_AS = '/api/auth/logout-as'

export type Newcomer = Browser & { readonly id: number }
type User = { readonly id: number; readonly email: string }

export function loginAs(browser: Browser, userId: unknown): Promise<Reply> {
  return browser.send('POST', LOGIN_AS, { json: { userId } })
}

export function logoutAs(browser: Browser): Promise<Reply> {
  return browser.send('POST', LOGOUT_AS, { json: {} })
}

export type Impersonation = {
  /** The impersonating client, which holds the credentials of the impersonation. */
  readonly browser: Browser
  readonly admin: User
  /** The target itself, on another client with a separate session. */
  readonly target: Newcomer
  /** The credentials that the administrator held before. */
  readonly before: Held
  /** The reply of `login-as`. */
  readonly reply: Reply
}

/** A new administrator who acts as a new account with these roles. */
export async function impersonation(
  service: TestService,
  roles: readonly string[] = [],
): Promise<Impersonation> {
  const admin = await newcomer(service, ['admin'])
  const target = await newcomer(service, roles)
  const before = admin.held()
  const reply = await loginAs(admin, target.id)
  if (reply.status !== 200) throw new Error(`login-as failed: ${reply.text}`)
  return { browser: admin, admin, target, before, reply }
}

/** The whole envelope of get-identity during an impersonation. */
export function actingAs(user: User, userAs: User, roleList: object = {}) {
  const { view, ...rest } = loggedIn(userOf(user), roleList)
  return { ...rest, view: { ...view, loggedInAs: true, userAs: userOf(userAs) } }
}

function userOf({ id, email }: User): User {
  return { id, email }
}

/** Expects that the pair and its refresh are rejected. */
export async function expectDead(service: TestService, held: Held, what = ''): Promise<void> {
  expectInvalidToken(await identityWith(service, held), what)
  expectInvalidToken(await refreshWith(service, held), what)
}

/** Expects the same identity as before, without a refresh. */
export async function expectAlive(service: TestService, held: Held, what = ''): Promise<void> {
  expect((await identityWith(service, held)).status, what).to.equal(200)
}
