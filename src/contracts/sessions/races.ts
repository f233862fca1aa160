import assert from 'node:assert/strict'
import type { Session } from '../../domain/identity/session.js'
import type { Rotation } from '../../domain/identity/rotation.js'
import type { Store } from '../../ports/store.js'
import { accountOf, enrol, loggedIn, logIn } from '../arrangements.js'
import { assertDead, movedBy, rotate, read } from '../active-sessions.js'
import { inRounds, race, releaseTogether, tallyKinds } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { aRotation, hashOf, NOW, SECOND, sessionIdOf } from '../samples.js'

const law = lawOf('sessions')
const SOON = NOW + 5 * SECOND

export const sessionRaceLaws: readonly Law[] = [
  law('of 16 refreshes with one token at once exactly one moves the session, all get its successor')
    .protects('No tab logs another out, no answer leaves a client with a dead branch.')
    .check(async (store) => {
      let { session: active } = await loggedIn(store)
      await inRounds(async (round) => {
        const before = active
        const answers = await race((caller) => store.sessions.rotate(aRotation(before, {}, caller)))
        assert.deepEqual(tallyKinds(answers), { rotated: 1, superseded: 15 })
        const winner = answers.findIndex((answer) => answer.kind === 'rotated')
        const successor = aRotation(before, {}, winner).next
        active = movedBy(answers[winner] ?? { kind: 'unknown' }, 'rotated')
        assert.deepEqual(active.current, successor)
        for (const answer of answers) assert.deepEqual('session' in answer && answer.session, active)
        assert.deepEqual(await read(store, active, SOON), active)
        assert.equal(active.current.number, round + 1)
      })
    }),
  law('of 16 refreshes with one token and no grace exactly one moves the session, which then ends')
    .protects('With single use every race is a replay, and a replay ends the session.')
    .check(async (store) => {
      const account = await enrol(store)
      await inRounds(async (round) => {
        const session = await logIn(store, account, `login ${round}`)
        const answers = await race((caller) =>
          store.sessions.rotate(aRotation(session, { grace: 0 }, caller)),
        )
        const { rotated, replayed, ...others } = tallyKinds(answers)
        assert.equal(rotated, 1)
        assert.equal(replayed, 1, 'the second one is noticed, once')
        const wrong = Object.keys(others).filter((kind) => kind !== 'unknown')
        assert.deepEqual(wrong, [])
        for (const successor of successors(answers)) await assertDead(store, successor, SOON)
        await assertDead(store, session, SOON)
      })
    }),
  law('of 16 tabs that wake at once with tokens of all ages exactly one moves the session, none ends it')
    .protects('A browser that is opened again stays logged in, however its tabs come back.')
    .check(async (store) => {
      const account = await enrol(store)
      await inRounds(async (round) => {
        const ages = [await logIn(store, account, `login ${round}`)]
        for (const _ of ['second', 'third']) {
          const last = ages.at(-1)
          if (last) ages.push(await rotate(store, last, { grace: SECOND }))
        }
        const last = ages.at(-1) ?? assert.fail()
        const { keyDigest, issuedAt } = last.current
        const answers = await race((caller) => {
          const { current } = ages[caller % ages.length] ?? last
          const claim = { from: current.pairId, keyDigest, at: issuedAt + 5 * SECOND }
          return store.sessions.rotate(aRotation(last, claim, caller))
        })
        assert.deepEqual(tallyKinds(answers), { rotated: 1, superseded: 15 })
        const numbers = new Set(successors(answers).map(({ current }) => current.number))
        assert.ok([...numbers].every((number) => number === 3 || number === 4))
        assert.equal((await read(store, last, issuedAt + 5 * SECOND))?.current.number, 4)
      })
    }),
  law('a refresh that races a replay leaves nothing active')
    .protects('A thief who is noticed does not get away with a new token.')
    .check((store) =>
      assertNothingLeft(store, async (session) => {
        const from = session.previous?.pairId ?? session.current.pairId
        const keyDigest = session.previous?.keyDigest
        await store.sessions.rotate(aRotation(session, { from, keyDigest, at: SOON + SECOND }))
      }),
    ),
  law('a refresh that races a logout leaves nothing active')
    .protects('A login that was ended stays ended.')
    .check((store) => assertNothingLeft(store, ({ id }) => store.sessions.end(id))),
  law('refreshes that race endAllOf leave nothing active')
    .protects('Logging an account out everywhere misses no device.')
    .check((store) => assertNothingLeft(store, ({ accountId }) => store.sessions.endAllOf(accountId))),
  law('refreshes that race a password change leave nothing active')
    .protects('A thief cannot refresh a session across a new password.')
    .check((store) =>
      assertNothingLeft(store, ({ accountId }) => store.accounts.setPassword(accountId, hashOf('new'))),
    ),
  law('refreshes that race changePassword leave nothing active')
    .protects('A thief cannot refresh a session while its owner changes the password.')
    .check((store) =>
      assertNothingLeft(store, async ({ accountId: id }) => {
        const { passwordHash = hashOf('') } = await accountOf(store, id)
        await store.accounts.changePassword({ id, expected: passwordHash, next: hashOf('new') })
      }),
    ),
  law('refreshes that race endOthers leave nothing active')
    .protects('Logging all other devices out misses none.')
    .check((store) =>
      assertNothingLeft(store, ({ accountId }) =>
        store.sessions.endOthers(accountId, sessionIdOf('kept'), SOON),
      ),
    ),
  law('refreshes that race endOne leave nothing active')
    .protects('A device that is logged out from another one stays logged out.')
    .check((store) => assertNothingLeft(store, ({ accountId, id }) => store.sessions.endOne(accountId, id))),
  law('refreshes that race a lock leave nothing active')
    .protects('A locked account has no session that slipped through.')
    .check((store) =>
      assertNothingLeft(store, ({ accountId }) => store.accounts.setDisabled(accountId, SOON)),
    ),
  law('logins and refreshes that race a removal leave nothing active')
    .protects('A removed account has no session that slipped through.')
    .check(async (store) => {
      const account = await enrol(store)
      const session = await logIn(store, account)
      const late: Session[] = []
      await releaseTogether<unknown>([
        async () => late.push(await logIn(store, account, 'late 1')),
        () => store.sessions.rotate(aRotation(session)),
        () => store.accounts.remove(account.id),
        () => store.sessions.rotate(aRotation(session, {}, 1)),
        async () => late.push(await logIn(store, account, 'late 2')),
      ])
      assert.equal(late.length, 2)
      for (const one of [session, ...late]) await assertDead(store, one, SOON)
    }),
]

function successors(answers: readonly Rotation[]): readonly Session[] {
  return answers.flatMap((answer) => ('session' in answer ? [answer.session] : []))
}

/**
 * In every round four sessions, each in its second generation, are refreshed three times each
 * while `stop` is called for each of them in the middle. Nothing of them may be left.
 */
async function assertNothingLeft(store: Store, stop: (session: Session) => Promise<unknown>): Promise<void> {
  const { id } = await enrol(store)
  await inRounds(async (round) => {
    // What stopped the last round may have locked the account.
    await store.accounts.setDisabled(id, undefined)
    const account = await accountOf(store, id)
    const sessions: Session[] = []
    for (const device of [1, 2, 3, 4]) {
      const session = await logIn(store, account, `login ${round} ${device}`)
      sessions.push(await rotate(store, session, { grace: 2 * SECOND }))
    }
    const refreshes = (session: Session, callers: readonly number[]) =>
      callers.map((caller) => async () => await store.sessions.rotate(aRotation(session, {}, caller)))
    const answers = await releaseTogether<unknown>(
      sessions.flatMap((session) => [
        ...refreshes(session, [1, 2]),
        async () => await stop(session),
        ...refreshes(session, [3]),
      ]),
    )
    const moved = successors(answers.filter(isRotation))
    for (const session of [...sessions, ...moved]) await assertDead(store, session, SOON)
  })
}

function isRotation(answer: unknown): answer is Rotation {
  return typeof answer === 'object' && answer !== null && 'kind' in answer
}
