import assert from 'node:assert/strict'
import type { RotationRequest, Rotation } from '../../domain/identity/rotation.js'
import type { KeyDigest, Session } from '../../domain/identity/session.js'
import type { Store } from '../../ports/store.js'
import { addLoggedIn, logIn, addAccount } from '../arrangements.js'
import { lawOf, type Law, assertRace, inRounds, eachInOrder, race, startTogether, tally } from '../law.js'
import { sessionIn, rotate, read, assertInactive } from '../logins.js'
import { aRotation, DAY, GRACE, keyDigestOf, NOW, SECOND, sessionIdOf } from '../samples.js'
import { assertMismatch, assertReplay, MOVED, UNTIL } from './rotation.js'

const loginLaw = lawOf('sessions', addLoggedIn)
const law = lawOf('sessions')
const accountLaw = lawOf('sessions', addAccount)
const SOON = NOW + 5 * SECOND

const COOKIES: readonly ((session: Session) => KeyDigest | undefined)[] = [
  () => undefined,
  () => keyDigestOf('unknown'),
  (session) => session.current.keyDigest,
  (session) => session.previous?.keyDigest,
]

/** Contract tests for refresh tokens that were used before, and for concurrent refreshes. */
export const sessionRefreshLaws: readonly Law[] = [
  loginLaw('without a grace period, every repeated use is a replay')
    .protects('The setting for single-use tokens has no exceptions.')
    .check(async (store, { account }) => {
      // The clock of another process may be behind.
      for (const at of [MOVED, MOVED - 1, NOW - DAY]) {
        for (const [index, cookie] of COOKIES.entries()) {
          const session = await logIn(store, account, `login ${at} ${index}`)
          const moved = await rotate(store, session, { grace: 0 })
          const keyDigest = cookie(moved)
          await assertReplay(store, moved, { from: session.current.pairId, keyDigest, at, grace: 0 })
        }
      }
    }),
  loginLaw('without a grace period, no grace window opens, even for a clock that is behind')
    .protects('Single-use tokens work even if the clocks of two processes differ.')
    .check(async (store, { session }) => {
      const { keyDigest } = session.current
      const moved = await rotate(store, session, { grace: 0 })
      for (const at of [MOVED, MOVED - 1, NOW - DAY]) {
        assert.equal(await store.sessions.find(keyDigest, at), undefined)
        for (const grace of [0, GRACE]) await assertMismatch(store, moved, { keyDigest, at, grace })
      }
    }),
  loginLaw('without a grace period, a grace window that another process has opened is ignored')
    .protects('A process with the stricter setting always applies it.')
    .check(async (store, { account, session }) => {
      const moved = await rotate(store, session)
      const { keyDigest } = session.current
      await assertMismatch(store, moved, { keyDigest, grace: 0 })
      await assertReplay(store, moved, { ...spent(session), at: MOVED, grace: 0 })
      const other = await logIn(store, account, 'other')
      const again = await rotate(store, other)
      const current = { from: other.current.pairId, keyDigest: again.current.keyDigest }
      await assertReplay(store, again, { ...current, at: MOVED, grace: 0 })
    }),
  loginLaw('a spent token of any generation gets the current pair if sent with the current key, at any time')
    .protects('A tab that was suspended while other tabs refreshed does not end the session.')
    .check(async (store, { session }) => {
      const moved = await rotate(store, session)
      const { keyDigest } = (await rotate(store, moved)).current
      for (const one of [session, moved]) {
        for (const at of [MOVED, UNTIL + DAY]) {
          const answer = await store.sessions.rotate(aRotation(one, { keyDigest, at }, 9))
          assert.deepEqual(sessionIn(answer, 'superseded'), await read(store, session, at))
        }
      }
      const last = await read(store, session, UNTIL + DAY)
      assert.equal(last?.current.number, 3)
    }),
  loginLaw(
    'a spent token of any generation gets the current pair if sent with the previous key within the grace window',
  )
    .protects('Tabs that resume concurrently do not log each other out.')
    .check(async (store, { session }) => {
      const moved = await rotate(store, session)
      const twice = await rotate(store, moved)
      const { keyDigest } = moved.current
      const until = twice.previous?.until ?? 0
      const answer = await store.sessions.rotate(aRotation(session, { keyDigest, at: until - 1 }, 9))
      assert.deepEqual(sessionIn(answer, 'superseded'), twice)
      await assertReplay(store, twice, { from: session.current.pairId, keyDigest, at: until })
    }),
  loginLaw("a token from two generations ago is a replay if sent with that generation's key")
    .protects('The grace window covers only the last refresh.')
    .check(async (store, { session }) => {
      const twice = await rotate(store, await rotate(store, session), { at: MOVED })
      await assertReplay(store, twice, { ...spent(session), at: MOVED })
    }),
  loginLaw('after its grace window a spent token ends the session, with any cookie except the current cookie')
    .protects('A thief loses access, with or without a cookie.')
    .check(async (store, { account }) => {
      for (const [index, cookie] of COOKIES.entries()) {
        const session = await logIn(store, account, `login ${index}`)
        const moved = await rotate(store, session)
        const keyDigest = cookie(moved)
        if (keyDigest === moved.current.keyDigest) continue
        await assertReplay(store, moved, { from: session.current.pairId, keyDigest, at: UNTIL })
      }
    }),
  law('16 concurrent refreshes rotate the session once, and all callers get the same successor')
    .protects('A tab does not log other tabs out, and no client gets an invalid token.')
    .check(async (store) => {
      let { session: active } = await addLoggedIn(store)
      await inRounds(async (round) => {
        const before = active
        const answers = await assertRace({ rotated: 1, superseded: 15 }, (caller) =>
          store.sessions.rotate(aRotation(before, {}, caller)),
        )
        const winner = answers.findIndex((answer) => answer.kind === 'rotated')
        const successor = aRotation(before, {}, winner).next
        active = sessionIn(answers[winner] ?? { kind: 'unknown' }, 'rotated')
        assert.deepEqual(active.current, successor)
        for (const answer of answers) assert.deepEqual('session' in answer && answer.session, active)
        assert.deepEqual(await read(store, active, SOON), active)
        assert.equal(active.current.number, round + 1)
      })
    }),
  accountLaw('16 concurrent refreshes without a grace period rotate the session once and then end it')
    .protects('With single-use tokens every race is a replay, and a replay ends the session.')
    .inRounds(async (store, round, account) => {
      const session = await logIn(store, account, `login ${round}`)
      const answers = await race((caller) => store.sessions.rotate(aRotation(session, { grace: 0 }, caller)))
      const { rotated, replayed, ...others } = tally(answers)
      assert.equal(rotated, 1)
      assert.equal(replayed, 1, 'the replay is detected once')
      const wrong = Object.keys(others).filter((kind) => kind !== 'unknown')
      assert.deepEqual(wrong, [])
      for (const successor of successors(answers)) await assertInactive(store, successor, SOON)
      await assertInactive(store, session, SOON)
    }),
  accountLaw('16 tabs with current and spent tokens rotate the session once and do not end it')
    .protects('A reopened browser stays logged in in all its tabs.')
    .inRounds(async (store, round, account) => {
      const first = await logIn(store, account, `login ${round}`)
      const second = await rotate(store, first, { grace: SECOND })
      const last = await rotate(store, second, { grace: SECOND })
      const { keyDigest, issuedAt } = last.current
      const answers = await assertRace({ rotated: 1, superseded: 15 }, (caller) => {
        const { current } = [first, second, last][caller % 3] ?? last
        const claim = { from: current.pairId, keyDigest, at: issuedAt + 5 * SECOND }
        return store.sessions.rotate(aRotation(last, claim, caller))
      })
      const numbers = new Set(successors(answers).map(({ current }) => current.number))
      assert.ok([...numbers].every((number) => number === 3 || number === 4))
      assert.equal((await read(store, last, issuedAt + 5 * SECOND))?.current.number, 4)
    }),
  nothingLeft('a replay', 'A thief who is detected gets no new token.', (store, session) => {
    const { pairId: from, keyDigest } = session.previous ?? session.current
    return store.sessions.rotate(aRotation(session, { from, keyDigest, at: SOON + SECOND }))
  }),
  nothingLeft('a logout', 'An ended login stays ended.', ({ sessions }, { id }) => sessions.end(id)),
  nothingLeft('endOthers', 'Logging out all other devices misses no device.', (store, { accountId }) =>
    store.sessions.endOthers(accountId, sessionIdOf('kept'), SOON),
  ),
  nothingLeft(
    'endOne',
    'A device that is logged out from another device stays logged out.',
    (store, { accountId, id }) => store.sessions.endOne(accountId, id),
  ),
]

function spent({ current }: Session): Pick<RotationRequest, 'from' | 'keyDigest'> {
  return { from: current.pairId, keyDigest: current.keyDigest }
}

type Stop = (store: Store, session: Session) => Promise<unknown>

/** Defines a law that refreshes each of four sessions three times, calls `stop` in between, and asserts that no session stays active. */
function nothingLeft(stopped: string, protects: string, stop: Stop): Law {
  return accountLaw(`refreshes that race ${stopped} leave no session active`)
    .protects(protects)
    .inRounds(async (store, round, account) => {
      const sessions = await eachInOrder([1, 2, 3, 4], async (device) => {
        const session = await logIn(store, account, `login ${round} ${device}`)
        return await rotate(store, session, { grace: 2 * SECOND })
      })
      const refresh = (session: Session, caller: number) => async () =>
        await store.sessions.rotate(aRotation(session, {}, caller))
      const answers = await startTogether<unknown>(
        sessions.flatMap((session) => [
          ...[refresh(session, 1), refresh(session, 2)],
          async () => await stop(store, session),
          refresh(session, 3),
        ]),
      )
      for (const session of [...sessions, ...successors(answers)]) await assertInactive(store, session, SOON)
    })
}

/** Returns the sessions from these `rotate` results; results without a session are ignored. */
export function successors(answers: readonly unknown[]): readonly Session[] {
  return answers.flatMap((answer) => (isRotation(answer) && 'session' in answer ? [answer.session] : []))
}

function isRotation(answer: unknown): answer is Rotation {
  return typeof answer === 'object' && answer !== null && 'kind' in answer
}
