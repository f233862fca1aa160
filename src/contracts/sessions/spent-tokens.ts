import assert from 'node:assert/strict'
import type { KeyDigest, Session } from '../../domain/identity/session.js'
import type { RotationRequest } from '../../domain/identity/rotation.js'
import { loggedIn, logIn } from '../arrangements.js'
import { movedBy, rotate, read } from '../active-sessions.js'
import { lawOf, type Law } from '../law.js'
import { assertMismatch, assertReplay, MOVED, UNTIL } from './rotation.js'
import { aRotation, DAY, GRACE, keyDigestOf, NOW } from '../samples.js'

const law = lawOf('sessions')

/** What a cookie can hold when a token is presented that was spent. */
const COOKIES: readonly ((session: Session) => KeyDigest | undefined)[] = [
  () => undefined,
  () => keyDigestOf('unknown'),
  (session) => session.current.keyDigest,
  (session) => session.previous?.keyDigest,
]

/** What a refresh token is good for that was used before. */
export const sessionSpentTokenLaws: readonly Law[] = [
  law('the previous token is a replay from the end of its window on')
    .protects('A stolen refresh token is noticed.')
    .check(async (store) => {
      const { session } = await loggedIn(store)
      const moved = await rotate(store, session)
      await assertReplay(store, moved, { ...spent(session), at: UNTIL })
    }),
  law('with no grace every second use is a replay')
    .protects('The strict reading of one use is what was asked for.')
    .check(async (store) => {
      const { account } = await loggedIn(store)
      // However early the clock of another process reads.
      for (const at of [MOVED, MOVED - 1, NOW - DAY]) {
        for (const [index, cookie] of COOKIES.entries()) {
          const session = await logIn(store, account, `login ${at} ${index}`)
          const moved = await rotate(store, session, { grace: 0 })
          const keyDigest = cookie(moved)
          await assertReplay(store, moved, { from: session.current.pairId, keyDigest, at, grace: 0 })
        }
      }
    }),
  law('with no grace no clock falls into a window, however early it reads')
    .protects('Two processes need not agree on the time for a token to be good once.')
    .check(async (store) => {
      const { session } = await loggedIn(store)
      const { keyDigest } = session.current
      const moved = await rotate(store, session, { grace: 0 })
      for (const at of [MOVED, MOVED - 1, NOW - DAY]) {
        assert.equal(await store.sessions.find(keyDigest, at), undefined)
        for (const grace of [0, GRACE]) await assertMismatch(store, moved, { keyDigest, at, grace })
      }
    }),
  law('with no grace a window that another process has opened is none')
    .protects('The stricter setting counts as soon as one process has it.')
    .check(async (store) => {
      const { account, session } = await loggedIn(store)
      const moved = await rotate(store, session)
      const { keyDigest } = session.current
      await assertMismatch(store, moved, { keyDigest, grace: 0 })
      await assertReplay(store, moved, { ...spent(session), at: MOVED, grace: 0 })
      const other = await logIn(store, account, 'other')
      const again = await rotate(store, other)
      const current = { from: other.current.pairId, keyDigest: again.current.keyDigest }
      await assertReplay(store, again, { ...current, at: MOVED, grace: 0 })
    }),
  law('a spent token of any age gets the current pair with the current key, at any time')
    .protects('A tab that slept through refreshes of other tabs ends no session.')
    .check(async (store) => {
      const { session } = await loggedIn(store)
      const moved = await rotate(store, session)
      const { keyDigest } = (await rotate(store, moved)).current
      for (const one of [session, moved]) {
        for (const at of [MOVED, UNTIL + DAY]) {
          const answer = await store.sessions.rotate(aRotation(one, { keyDigest, at }, 9))
          assert.deepEqual(movedBy(answer, 'superseded'), await read(store, session, at))
        }
      }
      const last = await read(store, session, UNTIL + DAY)
      assert.equal(last?.current.number, 3)
    }),
  law('a spent token of any age gets the current pair with the previous key inside its window')
    .protects('Of tabs that wake at one moment the first to refresh logs none of the others out.')
    .check(async (store) => {
      const { session } = await loggedIn(store)
      const moved = await rotate(store, session)
      const twice = await rotate(store, moved)
      const { keyDigest } = moved.current
      const until = twice.previous?.until ?? 0
      const answer = await store.sessions.rotate(aRotation(session, { keyDigest, at: until - 1 }, 9))
      assert.deepEqual(movedBy(answer, 'superseded'), twice)
      await assertReplay(store, twice, { from: session.current.pairId, keyDigest, at: until })
    }),
  law('a token two generations old is a replay with the key of its time')
    .protects('The window is for the last refresh only.')
    .check(async (store) => {
      const { session } = await loggedIn(store)
      const twice = await rotate(store, await rotate(store, session), { at: MOVED })
      await assertReplay(store, twice, { ...spent(session), at: MOVED })
    }),
  law('a spent token ends the session after its window, whatever cookie comes with it but the current one')
    .protects('A thief is thrown out with or without a cookie.')
    .check(async (store) => {
      const { account } = await loggedIn(store)
      for (const [index, cookie] of COOKIES.entries()) {
        const session = await logIn(store, account, `login ${index}`)
        const moved = await rotate(store, session)
        const keyDigest = cookie(moved)
        if (keyDigest === moved.current.keyDigest) continue
        await assertReplay(store, moved, { from: session.current.pairId, keyDigest, at: UNTIL })
      }
    }),
]

/** The token and the key of a generation that was left. */
function spent({ current }: Session): Pick<RotationRequest, 'from' | 'keyDigest'> {
  return { from: current.pairId, keyDigest: current.keyDigest }
}
