import assert from 'node:assert/strict'
import type { LoginRotationRequest } from '../../domain/identity/login-rotation.js'
import type { StatelessLogin } from '../../ports/revocations.js'
import type { Store } from '../../ports/store.js'
import { enrol } from '../arrangements.js'
import { assertInForce, assertRevoked, pairsOf, rotateLogin, statelessLogin } from '../stateless-logins.js'
import { lawOf, type Law } from '../law.js'
import { aLoginRotation, DAY, GRACE, hashOf, NOW, pairIdOf, SECOND } from '../samples.js'
import { tamperWith } from '../tamper.js'

const law = lawOf('revocations')
/** When the first refresh was, when its window ends, and when the last token of the login does. */
const MOVED = NOW + SECOND
const UNTIL = MOVED + GRACE
const END = NOW + 30 * DAY

/** What a refresh is to a login of stateless mode. */
export const loginRotationLaws: readonly Law[] = [
  law('the first rotate of a login makes next current and what was presented previous')
    .protects('A refresh token of a login that was never refreshed is good.')
    .check(async (store) => {
      const login = await aLogin(store)
      const request = aLoginRotation(login)
      const expected = { current: request.next, previous: { pairId: request.from, until: UNTIL } }
      assert.deepEqual(await store.revocations.rotate(request), { kind: 'rotated', pairs: expected })
      await assertInForce(store, login, MOVED)
    }),
  law(
    'every refresh makes a pair of its own, for as long as the login lasts, and the store does not grow by it',
  )
    .protects('A user stays logged in who comes back every day.')
    .check(async (store) => {
      const login = await aLogin(store)
      let { current } = await rotateLogin(store, login)
      for (let day = 1; day < 30; day += 1) {
        const change = { from: current.pairId, at: NOW + day * DAY }
        const { next } = aLoginRotation(login, change)
        const pairs = await rotateLogin(store, login, change)
        assert.deepEqual(pairs, {
          current: next,
          previous: { pairId: current.pairId, until: change.at + GRACE },
        })
        current = pairs.current
      }
      await assertInForce(store, login, END - 1)
      assert.equal(await store.revocations.purge(END - 1, 100), 0)
      assert.equal(await store.revocations.purge(END, 100), 1)
    }),
  law('the previous pair gets the same successor inside its window')
    .protects('Two tabs that refresh at once do not log each other out.')
    .check(async (store) => {
      const login = await aLogin(store)
      const pairs = await rotateLogin(store, login)
      for (const at of [0, MOVED, UNTIL - 1]) {
        const answer = await store.revocations.rotate(aLoginRotation(login, { at }, 9))
        assert.deepEqual(pairsOf(answer, 'superseded'), pairs)
      }
      await rotateLogin(store, login, { from: pairs.current.pairId, at: UNTIL - 1 })
    }),
  law('a pair that was spent before is a replay and revokes the login until the end of its tokens')
    .protects('A thief with a refresh token that was used is noticed, and thrown out with the owner.')
    .check(async (store) => {
      const login = await aLogin(store)
      const first = await rotateLogin(store, login)
      const from = first.current.pairId
      await assertReplay(store, login, { at: UNTIL })
      const second = statelessLogin(await enrol(store, 'bob'), 'second')
      await rotateLogin(store, second)
      await rotateLogin(store, second, { from: aLoginRotation(second).next.pairId, at: MOVED + 1 })
      await assertReplay(store, second, { at: MOVED + 2 })
      const forged = statelessLogin(await enrol(store, 'eve'), 'forged')
      await rotateLogin(store, forged)
      await assertReplay(store, forged, { from: pairIdOf('never issued'), at: MOVED })
      const late = aLoginRotation(login, { from, at: UNTIL })
      assert.deepEqual(await store.revocations.rotate(late), { kind: 'revoked' }, 'the current pair is dead')
    }),
  law('without grace every second use is a replay, whatever a clock says')
    .protects('With single use a stolen token is noticed at once.')
    .check(async (store) => {
      const ann = await enrol(store)
      for (const at of [0, NOW, MOVED, MOVED + 1]) {
        const login = statelessLogin(ann, `without grace ${at}`)
        const pairs = await rotateLogin(store, login, { grace: 0 })
        assert.equal(pairs.previous.until, 0)
        await assertReplay(store, login, { at, grace: 0 })
        const opened = statelessLogin(ann, `with grace ${at}`)
        await rotateLogin(store, opened)
        await assertReplay(store, opened, { at, grace: 0 })
        const closed = statelessLogin(ann, `grace later ${at}`)
        await rotateLogin(store, closed, { grace: 0 })
        await assertReplay(store, closed, { at: MOVED })
      }
    }),
  law('a replay revokes that login only')
    .protects('The other devices of the user stay logged in.')
    .check(async (store) => {
      const ann = await enrol(store)
      const [login, other, never] = ['one', 'other', 'never refreshed'].map((label) =>
        statelessLogin(ann, label),
      ) as [StatelessLogin, StatelessLogin, StatelessLogin]
      await rotateLogin(store, login)
      const { current } = await rotateLogin(store, other)
      await assertReplay(store, login, { at: UNTIL })
      for (const one of [other, never]) await assertInForce(store, one, UNTIL)
      await rotateLogin(store, other, { from: current.pairId, at: UNTIL })
      await rotateLogin(store, never, { at: UNTIL })
    }),
  law('a revoked login is not rotated, be its pair good, spent or unknown')
    .protects('A login that was ended stays ended.')
    .check(async (store) => {
      const ann = await enrol(store)
      const [fresh, used] = [statelessLogin(ann, 'fresh'), statelessLogin(ann, 'used')]
      const { current, previous } = await rotateLogin(store, used)
      for (const { sessionId } of [fresh, used]) {
        assert.equal(await store.revocations.revoke(sessionId, END), 'revoked')
        assert.equal(await store.revocations.revoke(sessionId, END), 'unchanged')
      }
      for (const from of [current.pairId, previous.pairId, pairIdOf('unknown')]) {
        for (const login of [fresh, used]) {
          const answer = await store.revocations.rotate(aLoginRotation(login, { from }))
          assert.deepEqual(answer, { kind: 'revoked' })
          await assertRevoked(store, login, END - 1)
        }
      }
    }),
  law('an answer that changes nothing moves no end of what is stored')
    .protects('Of a login that has ended nothing is kept for longer because someone still asks for it.')
    .check(async (store) => {
      const ann = await enrol(store)
      const [used, revoked] = [statelessLogin(ann, 'used'), statelessLogin(ann, 'revoked')]
      await rotateLogin(store, used)
      await store.revocations.revoke(revoked.sessionId, END)
      const later = { at: UNTIL - 1, until: END + DAY }
      const again = await store.revocations.rotate(aLoginRotation(used, later, 9))
      assert.equal(again.kind, 'superseded')
      const late = await store.revocations.rotate(aLoginRotation(revoked, later))
      assert.equal(late.kind, 'revoked')
      await assertInForce(store, revoked, END)
      assert.equal(await store.revocations.purge(END, 10), 2)
    }),
  law('a login that was refreshed is as good as one that was not')
    .protects('A refresh neither ends a login nor keeps one that its account has ended.')
    .check(async (store) => {
      const ann = await enrol(store)
      const login = statelessLogin(ann)
      await rotateLogin(store, login)
      for (const at of [0, MOVED, END - 1, END]) await assertInForce(store, login, at)
      await store.accounts.setPassword(ann.id, hashOf('new'))
      await assertRevoked(store, login, MOVED)
    }),
  law('a revocation of a login that was refreshed holds until its own end')
    .protects('Where the last tokens have been refused nothing is kept of them.')
    .check(async (store) => {
      const login = await aLogin(store)
      await rotateLogin(store, login)
      await store.revocations.revoke(login.sessionId, END - DAY)
      await assertRevoked(store, login, END - DAY - 1)
      await assertInForce(store, login, END - DAY)
      assert.equal(await store.revocations.purge(END - DAY, 10), 1)
      assert.equal(await store.revocations.purge(END, 10), 0)
    }),
  law('what is stored of a login counts strictly before its end')
    .protects('A clock that is late meets no login of long ago.')
    .check(async (store) => {
      const ann = await enrol(store)
      const [used, revoked] = [statelessLogin(ann, 'used'), statelessLogin(ann, 'revoked')]
      await rotateLogin(store, used, { until: UNTIL })
      await store.revocations.revoke(revoked.sessionId, UNTIL)
      for (const login of [used, revoked]) {
        const { next, ...late } = aLoginRotation(login, { at: UNTIL }, 1)
        const { current, previous } = await rotateLogin(store, login, { next, ...late })
        assert.deepEqual([current, previous], [next, { pairId: late.from, until: UNTIL + GRACE }])
        await assertInForce(store, login, UNTIL)
      }
      assert.equal(await store.revocations.purge(UNTIL, 10), 0)
    }),
  law('changing what rotate was given or gave changes no pair in the store')
    .protects('Changing an object makes no token.')
    .check(async (store) => {
      const login = await aLogin(store)
      const request = aLoginRotation(login)
      const answer = await store.revocations.rotate(request)
      const expected = structuredClone(pairsOf(answer, 'rotated'))
      tamperWith(request)
      tamperWith(answer)
      for (const look of [1, 2]) {
        const again = await store.revocations.rotate(aLoginRotation(login, {}, look))
        assert.deepEqual(again, { kind: 'superseded', pairs: expected })
        tamperWith(again)
      }
    }),
]

async function aLogin(store: Store): Promise<StatelessLogin> {
  return statelessLogin(await enrol(store))
}

/** The request is a replay, after which the login is revoked until the end of its tokens. */
async function assertReplay(store: Store, login: StatelessLogin, change: Partial<LoginRotationRequest>) {
  const request = aLoginRotation(login, change, 9)
  await assertInForce(store, login, request.at)
  assert.deepEqual(await store.revocations.rotate(request), { kind: 'replayed' })
  assert.deepEqual(await store.revocations.rotate(request), { kind: 'revoked' })
  for (const at of [request.at, END - 1]) await assertRevoked(store, login, at)
  await assertInForce(store, login, END)
}
