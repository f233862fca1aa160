import assert from 'node:assert/strict'
import type { KeyDigest, Session } from '../../domain/identity/session.js'
import type { RotationRequest } from '../../domain/identity/rotation.js'
import { addLoggedIn, logIn } from '../arrangements.js'
import { sessionIn, rotate, read } from '../active-sessions.js'
import { lawOf, type Law } from '../law.js'
import { assertMismatch, assertReplay, MOVED, UNTIL } from './rotation.js'
import { aRotation, DAY, GRACE, keyDigestOf, NOW } from '../samples.js'

const loginLaw = lawOf('sessions', addLoggedIn)

const COOKIES: readonly ((session: Session) => KeyDigest | undefined)[] = [
  () => undefined,
  () => keyDigestOf('unknown'),
  (session) => session.current.keyDigest,
  (session) => session.previous?.keyDigest,
]

/** Contract tests for refresh tokens that were used before. */
export const sessionSpentTokenLaws: readonly Law[] = [
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
]

/** Returns the token pair ID and the key digest of an earlier generation. */
function spent({ current }: Session): Pick<RotationRequest, 'from' | 'keyDigest'> {
  return { from: current.pairId, keyDigest: current.keyDigest }
}
