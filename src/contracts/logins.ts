import assert from 'node:assert/strict'
import type { Account } from '../domain/identity/account.js'
import type {
  Rotation,
  RotationRequest,
  LoginPairs,
  LoginRotation,
  LoginRotationRequest,
} from '../domain/identity/rotation.js'
import type { Session } from '../domain/identity/session.js'
import type { Instant } from '../domain/instant.js'
import type { StatelessLogin } from '../ports/sessions.js'
import type { Store } from '../ports/store.js'
import { addAccount, logIn, accountOf } from './arrangements.js'
import { inRounds, numbersBelow, startTogether, lawOf, type Law } from './law.js'
import { anActor, aRotation, NOW, pairIdOf, aLoginRotation, sessionIdOf, SECOND } from './samples.js'

export async function rotate(store: Store, session: Session, change: Partial<RotationRequest> = {}) {
  return sessionIn(await store.sessions.rotate(aRotation(session, change)), 'rotated')
}

export function sessionIn(answer: Rotation, kind: 'rotated' | 'superseded'): Session {
  if (answer.kind === kind) return answer.session
  return assert.fail(`the result is ${answer.kind}, not ${kind}`)
}

export async function read(store: Store, session: Session, at: Instant): Promise<Session | undefined> {
  return (await store.sessions.findById(session.id, at))?.session
}

/** Asserts that lookups by key and by ID, and a page of the account's sessions, return exactly this session. */
export async function assertFound(store: Store, session: Session, at: Instant = NOW): Promise<void> {
  assert.deepEqual((await store.sessions.find(session.current.keyDigest, at))?.session, session)
  assert.deepEqual(await read(store, session, at), session)
  assert.deepEqual(await onPage(store, session, at), session)
}

/** Asserts that the session is found by ID and by key, and is listed on a page of the account's sessions. */
export async function assertActive(store: Store, session: Session, at: Instant): Promise<void> {
  assert.equal((await read(store, session, at))?.id, session.id, 'the session is found by its id')
  const found = await store.sessions.find(session.current.keyDigest, at)
  assert.equal(found?.session.id, session.id, 'the session is found by its key')
  assert.ok(await onPage(store, session, at), 'the session is on a page')
}

/** Asserts that no read finds the session, and that refreshes and confirmations return `unknown`, even with a valid token. */
export async function assertInactive(store: Store, session: Session, at: Instant): Promise<void> {
  const { current, previous } = session
  const spent = previous?.pairId ?? current.pairId
  for (const change of [
    {},
    { from: spent },
    { from: pairIdOf('unknown') },
    { confirmation: { proved: { at } } },
  ]) {
    const request = aRotation(session, { ...change, at })
    assert.deepEqual(await store.sessions.rotate(request), { kind: 'unknown' })
    assert.equal(
      await store.sessions.find(request.next.keyDigest, at),
      undefined,
      'the session gets no new key',
    )
  }
  assert.equal(await read(store, session, at), undefined, 'the session cannot be found by its id')
  for (const { keyDigest } of previous ? [current, previous] : [current])
    assert.equal(await store.sessions.find(keyDigest, at), undefined, 'the session is not found by a key')
  assert.equal(await onPage(store, session, at), undefined, 'the session is not on any page')
}

async function onPage(store: Store, { id, accountId }: Session, at: Instant): Promise<Session | undefined> {
  return (await store.sessions.pageOf({ accountId, limit: 100, at })).find((one) => one.id === id)
}

export async function activeIds(store: Store, { id }: Pick<Account, 'id'>, at: Instant) {
  const page = await store.sessions.pageOf({ accountId: id, limit: 100, at })
  return page.map((session) => session.id).sort()
}

export async function actorPair(store: Store, name = 'actor') {
  return { actor: await addAccount(store, name), target: await addAccount(store, 'target') }
}

export async function impersonate(store: Store, name = 'actor') {
  const { actor, target } = await actorPair(store, name)
  return { actor, target, acting: await actAs(store, target, actor) }
}

export async function actAs(
  store: Store,
  target: Account,
  actor: Account,
  label = 'acting',
): Promise<Session> {
  return await logIn(store, target, label, { actor: anActor(actor) })
}

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

type End = () => Promise<unknown>
type Prepare = (store: Store, account: Account) => End | Promise<End>

/** Defines the law that a call ends all sessions at a single point in time; `event` describes the visible effect of the call. */
export function onePointLaw(event: string, protects: string, prepare: Prepare, bumpsEpoch = true): Law {
  return lawOf('sessions')(`a login that starts after ${event} stays active`)
    .protects(protects)
    .check((store) => assertOnePoint(store, prepare, bumpsEpoch))
}

/**
 * Starts logins while a call ends the account's sessions: half of them as soon as the account has its new epoch, and half as soon as an
 * older session has ended. Each login then reads the account, and its session must still be active at the end.
 */
async function assertOnePoint(store: Store, prepare: Prepare, bumpsEpoch: boolean): Promise<void> {
  const { id } = await addAccount(store)
  await inRounds(async (round) => {
    const account = await accountOf(store, id)
    const older = await logIn(store, account, `older ${round}`)
    const end = effectOf(await prepare(store, account))
    const later: Session[] = []
    const logins = numbersBelow(8).map((caller) => async () => {
      const byEpoch = bumpsEpoch && caller % 2 === 0
      await end.seen(() => (byEpoch ? hasNewEpoch(store, account) : isGone(store, older)))
      await end.seen(async () => (await accountOf(store, id)).disabledAt === undefined)
      later.push(await logIn(store, await accountOf(store, id), `login ${round} ${caller}`))
    })
    await startTogether<unknown>([...logins.slice(4), end.call, ...logins.slice(0, 4)])
    await assertInactive(store, older, NOW + SECOND)
    for (const session of later) await assertActive(store, session, NOW + SECOND)
  })
}

async function hasNewEpoch(store: Store, { id, epoch }: Account): Promise<boolean> {
  return (await accountOf(store, id)).epoch !== epoch
}

async function isGone(store: Store, session: Session): Promise<boolean> {
  return (await read(store, session, NOW + SECOND)) === undefined
}

/**
 * Wraps a call so that its effect can be awaited: `seen` calls `look` until it returns true, and other callers run in between. `seen`
 * rejects if the effect is not visible after the call has returned, because the law would never end otherwise.
 */
export function effectOf(call: End): {
  readonly call: End
  seen(look: () => Promise<boolean>): Promise<void>
} {
  let hasEnded = false
  return {
    call: async () => {
      try {
        return await call()
      } finally {
        hasEnded = true
      }
    },
    seen: async (look) => {
      for (let wasOver = hasEnded; !(await look()); wasOver = hasEnded) {
        assert.ok(!wasOver, 'the effect of the call is visible')
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
  }
}
