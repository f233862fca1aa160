import assert from 'node:assert/strict'
import type { Session } from '../../domain/identity/session.js'
import type { Rotation } from '../../domain/identity/rotation.js'
import type { Store } from '../../ports/store.js'
import { addAccount, addLoggedIn, logIn } from '../arrangements.js'
import { assertInactive, sessionIn, rotate, read } from '../active-sessions.js'
import { assertRace, inRounds, eachInOrder, race, startTogether, tally } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { aRotation, NOW, SECOND, sessionIdOf } from '../samples.js'

const law = lawOf('sessions')
const accountLaw = lawOf('sessions', addAccount)
const SOON = NOW + 5 * SECOND

/** Contract tests for concurrent refreshes of a session. */
export const sessionRaceLaws: readonly Law[] = [
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

type Stop = (store: Store, session: Session) => Promise<unknown>

/**
 * Defines a law that refreshes each of four sessions three times, calls `stop` in between, and asserts that no
 * session stays active.
 */
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
