import assert from 'node:assert/strict'
import type { Account } from '../domain/identity/account.js'
import type { Instant } from '../domain/instant.js'
import type { StatelessLogin } from '../ports/revocations.js'
import type { LoginPairs, LoginRotation, LoginRotationRequest } from '../domain/identity/rotation.js'
import type { Store } from '../ports/store.js'
import { aLoginRotation, sessionIdOf } from './samples.js'

/** Returns a stateless login, as read from a token, with the account's current epoch. */
export function statelessLogin({ id, epoch }: Account, label = 'login'): StatelessLogin {
  return { sessionId: sessionIdOf(label), accountId: id, epoch }
}

export async function rotateLogin(
  store: Store,
  login: StatelessLogin,
  change: Partial<LoginRotationRequest> = {},
): Promise<LoginPairs> {
  return pairsIn(await store.revocations.rotate(aLoginRotation(login, change)), 'rotated')
}

export function pairsIn(answer: LoginRotation, kind: 'rotated' | 'superseded'): LoginPairs {
  if (answer.kind === kind) return answer.pairs
  return assert.fail(`the result is ${answer.kind}, not ${kind}`)
}

export async function assertRevoked(store: Store, login: StatelessLogin, at: Instant): Promise<void> {
  assert.equal(await store.revocations.isRevoked(login, at), true, `the login is revoked at ${at}`)
}

export async function assertInForce(store: Store, login: StatelessLogin, at: Instant): Promise<void> {
  assert.equal(await store.revocations.isRevoked(login, at), false, `the login is not revoked at ${at}`)
}
