import assert from 'node:assert/strict'
import type { Account } from '../../domain/identity/account.js'
import type { LoginRotationRequest } from '../../domain/identity/rotation.js'
import type { StatelessLogin } from '../../ports/sessions.js'
import type { Store } from '../../ports/store.js'
import { addAccount, ENDINGS } from '../arrangements.js'
import { lawOf, type Law, assertRace, inRounds, race } from '../law.js'
import { assertInForce, assertRevoked, pairsIn, rotateLogin, statelessLogin } from '../logins.js'
import { aLoginRotation, DAY, GRACE, NOW, pairIdOf, SECOND } from '../samples.js'

const law = lawOf('revocations')
const loginLaw = lawOf('revocations', aLogin)
const accountLaw = lawOf('revocations', addAccount)
/** The instants of the first refresh, the end of its grace window, and the expiry of the login's last token. */
const MOVED = NOW + SECOND
const UNTIL = MOVED + GRACE
const END = NOW + 30 * DAY
const SOON = NOW + 5 * SECOND

type Stop = {
  readonly name: string
  readonly end: (store: Store, account: Account, login: StatelessLogin) => Promise<unknown>
}

/** The store calls that end a login in stateless mode. */
const STOPS: readonly Stop[] = [
  { name: 'a logout', end: ({ revocations }, _, { sessionId }) => revocations.revoke(sessionId, END) },
  ...ENDINGS,
]

/** Contract tests for refreshes of a login in stateless mode, including concurrent refreshes. */
export const loginRotationLaws: readonly Law[] = [
  loginLaw('the first rotate of a login makes the next pair current and the given pair previous')
    .protects('The first refresh of a login succeeds.')
    .check(async (store, login) => {
      const request = aLoginRotation(login)
      const expected = { current: request.next, previous: { pairId: request.from, until: UNTIL } }
      assert.deepEqual(await store.revocations.rotate(request), { kind: 'rotated', pairs: expected })
      await assertInForce(store, login, MOVED)
    }),
  law('every refresh issues a new token pair until the login ends, and the store has one record per login')
    .protects('A user who comes back every day stays logged in.')
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
  loginLaw('the previous pair gets the same successor within the grace window')
    .protects('Two tabs that refresh concurrently do not log each other out.')
    .check(async (store, login) => {
      const pairs = await rotateLogin(store, login)
      for (const at of [0, MOVED, UNTIL - 1]) {
        const answer = await store.revocations.rotate(aLoginRotation(login, { at }, 9))
        assert.deepEqual(pairsIn(answer, 'superseded'), pairs)
      }
      await rotateLogin(store, login, { from: pairs.current.pairId, at: UNTIL - 1 })
    }),
  loginLaw('an older pair counts as a replay, which revokes the login until its tokens expire')
    .protects(
      'The use of a stolen, spent refresh token is detected, and ends the login for both the thief and the owner.',
    )
    .check(async (store, login) => {
      const first = await rotateLogin(store, login)
      const from = first.current.pairId
      await assertReplay(store, login, { at: UNTIL })
      const second = statelessLogin(await addAccount(store, 'bob'), 'second')
      await rotateLogin(store, second)
      await rotateLogin(store, second, { from: aLoginRotation(second).next.pairId, at: MOVED + 1 })
      await assertReplay(store, second, { at: MOVED + 2 })
      const forged = statelessLogin(await addAccount(store, 'eve'), 'forged')
      await rotateLogin(store, forged)
      await assertReplay(store, forged, { from: pairIdOf('never issued'), at: MOVED })
      const late = aLoginRotation(login, { from, at: UNTIL })
      assert.deepEqual(
        await store.revocations.rotate(late),
        { kind: 'revoked' },
        'the current pair is revoked',
      )
    }),
  accountLaw('without a grace period, a repeated use is a replay at any time')
    .protects('With single-use tokens a stolen token is detected immediately.')
    .check(async (store, ann) => {
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
  accountLaw('a replay revokes only that login')
    .protects("The user's other devices stay logged in.")
    .check(async (store, ann) => {
      const [login, other, never] = [
        statelessLogin(ann, 'one'),
        statelessLogin(ann, 'other'),
        statelessLogin(ann, 'never refreshed'),
      ]
      await rotateLogin(store, login)
      const { current } = await rotateLogin(store, other)
      await assertReplay(store, login, { at: UNTIL })
      for (const one of [other, never]) await assertInForce(store, one, UNTIL)
      await rotateLogin(store, other, { from: current.pairId, at: UNTIL })
      await rotateLogin(store, never, { at: UNTIL })
    }),
  accountLaw('a revoked login is not rotated with a current, spent or unknown pair')
    .protects('An ended login stays ended.')
    .check(async (store, ann) => {
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
  accountLaw('a refused or repeated rotation does not extend how long a login is stored')
    .protects('Requests do not extend how long an ended login is stored.')
    .check(async (store, ann) => {
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
  loginLaw('a refreshed login that is revoked stays revoked until the revocation expires')
    .protects('No data of a login remains after its last token has expired.')
    .check(async (store, login) => {
      await rotateLogin(store, login)
      await store.revocations.revoke(login.sessionId, END - DAY)
      await assertRevoked(store, login, END - DAY - 1)
      await assertInForce(store, login, END - DAY)
      assert.equal(await store.revocations.purge(END - DAY, 10), 1)
      assert.equal(await store.revocations.purge(END, 10), 0)
    }),
  accountLaw('a stored login is ignored once it has expired')
    .protects('An expired login that has not been purged yet has no effect.')
    .check(async (store, ann) => {
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
  law('16 concurrent refreshes rotate a login once, and all callers get the same token pair')
    .protects('A tab does not log other tabs out, and no client gets an invalid token.')
    .check(async (store) => {
      const login = statelessLogin(await addAccount(store))
      let { from } = aLoginRotation(login)
      await inRounds(async () => {
        const answers = await assertRace({ rotated: 1, superseded: 15 }, (caller) =>
          store.revocations.rotate(aLoginRotation(login, { from }, caller)),
        )
        const winner = answers.findIndex(({ kind }) => kind === 'rotated')
        const { current } = pairsIn(answers[winner] ?? { kind: 'revoked' }, 'rotated')
        assert.deepEqual(current, aLoginRotation(login, { from }, winner).next)
        for (const answer of answers) assert.deepEqual('pairs' in answer && answer.pairs.current, current)
        from = current.pairId
      })
      await assertInForce(store, login, SOON)
    }),
  accountLaw(
    '16 concurrent refreshes without a grace period rotate the login once and detect the replay once',
  )
    .protects('With single-use tokens every race is a replay, and a replay ends the login.')
    .inRounds(async (store, round, ann) => {
      for (const label of ['first', 'later']) {
        const login = statelessLogin(ann, `${label} ${round}`)
        const before = label === 'later' ? await rotateLogin(store, login) : undefined
        const from = before?.current.pairId ?? aLoginRotation(login).from
        const request = { from, grace: 0, at: SOON }
        await assertRace({ rotated: 1, replayed: 1, revoked: 14 }, (caller) =>
          store.revocations.rotate(aLoginRotation(login, request, caller)),
        )
        await assertRevoked(store, login, END - 1)
      }
    }),
  accountLaw('16 concurrent refreshes with a spent token detect the replay once')
    .protects('A theft is audited once, and ends the login once.')
    .inRounds(async (store, round, ann) => {
      const login = statelessLogin(ann, `login ${round}`)
      await rotateLogin(store, login)
      const late = { at: NOW + DAY }
      await assertRace({ replayed: 1, revoked: 15 }, (caller) =>
        store.revocations.rotate(aLoginRotation(login, late, caller + 1)),
      )
      await assertRevoked(store, login, END - 1)
    }),
  ...STOPS.map(({ name, end }) =>
    law(`a refresh that races ${name} does not keep the login active`)
      .protects(
        'An ended login stays ended, and a thief cannot keep it active after a password change by refreshing it.',
      )
      .inRounds(async (store, round) => {
        for (const age of ['fresh', 'refreshed']) {
          const ann = await addAccount(store, `${age} ${round}`)
          const login = statelessLogin(ann, `${age} ${round}`)
          const before = age === 'refreshed' ? await rotateLogin(store, login) : undefined
          const from = before?.current.pairId ?? aLoginRotation(login).from
          await race<unknown>((caller) =>
            caller === 5
              ? end(store, ann, login)
              : store.revocations.rotate(aLoginRotation(login, { from, at: SOON }, caller)),
          )
          for (const at of [SOON, END - 1]) await assertRevoked(store, login, at)
        }
      }),
  ),
]

async function aLogin(store: Store): Promise<StatelessLogin> {
  return statelessLogin(await addAccount(store))
}

/** Asserts that the request is a replay, and that the login is then revoked until its tokens expire. */
async function assertReplay(store: Store, login: StatelessLogin, change: Partial<LoginRotationRequest>) {
  const request = aLoginRotation(login, change, 9)
  await assertInForce(store, login, request.at)
  assert.deepEqual(await store.revocations.rotate(request), { kind: 'replayed' })
  assert.deepEqual(await store.revocations.rotate(request), { kind: 'revoked' })
  for (const at of [request.at, END - 1]) await assertRevoked(store, login, at)
  await assertInForce(store, login, END)
}
