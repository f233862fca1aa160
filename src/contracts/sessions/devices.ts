import assert from 'node:assert/strict'
import type { Account, AccountId, Epoch } from '../../domain/identity/account.js'
import type { Session, SessionId } from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import type { SessionPosition } from '../../ports/sessions.js'
import type { Store } from '../../ports/store.js'
import { accountOf, addAccount, addLoggedIn, logIn } from '../arrangements.js'
import { race, lawOf, type Law, assertRace, inRounds, eachInOrder, sumOf } from '../law.js'
import {
  rotate,
  actAs,
  actorPair,
  assertActive,
  assertInactive,
  impersonate,
  onePointLaw,
} from '../logins.js'
import { aGeneration, aSession, hashOf, NOW, SECOND, UNKNOWN, sessionIdOf } from '../samples.js'

const law = lawOf('sessions')
const accountLaw = lawOf('sessions', addAccount)
const LATER = NOW + 10 * SECOND
const loginLaw = lawOf('sessions', addLoggedIn)
const SOON = NOW + SECOND

/** Contract tests for the list of an account's active sessions, and for `endOne` and `endOthers`. */
export const sessionDeviceLaws: readonly Law[] = [
  law('a page lists the active sessions of the account, sorted by login time and then by ID')
    .protects('A list of devices has a stable order.')
    .check(async (store) => {
      const [ann, bob] = [await addAccount(store, 'ann'), await addAccount(store, 'bob')]
      await openAt(store, bob, 'b')
      const expected = await fiveSessions(store, ann)
      await assertPage(store, ann, { limit: 10 }, expected)
      await assertPage(store, ann, { limit: 5 }, expected)
      await assertPage(store, ann, { limit: 2 }, expected.slice(0, 2))
    }),
  accountLaw('pages list every active session once, including sessions that were opened at the same time')
    .protects('A list of devices shows each device once.')
    .check(async (store, ann) => {
      const expected = await fiveSessions(store, ann)
      for (const limit of [1, 2, 3, 4]) {
        const walked: Session[] = []
        while (walked.length < 5) {
          const page = await pageOf(store, ann.id, { after: walked.at(-1), limit })
          assert.equal(page.length, Math.min(limit, 5 - walked.length))
          walked.push(...page)
        }
        assert.deepEqual(walked, expected, `in pages of ${limit}`)
        await assertPage(store, ann, { after: expected.at(-1), limit }, [])
      }
    }),
  accountLaw('a page continues after a session that has ended in the meantime')
    .protects('Reading the list skips no device, even if other devices are logged out in the meantime.')
    .check(async (store, ann) => {
      const sessions = await fiveSessions(store, ann)
      for (const [index, session] of sessions.entries()) {
        await store.sessions.end(session.id)
        await assertPage(store, ann, { after: session, limit: 10 }, sessions.slice(index + 1))
      }
      const next = await openAt(store, ann, '5', { createdAt: NOW + SECOND })
      await assertPage(store, ann, { after: positionOf('4', NOW + SECOND), limit: 10 }, [next])
      await assertPage(store, ann, { after: positionOf('6', NOW + SECOND), limit: 10 }, [])
    }),
  law('an inactive session does not appear on any page and does not count toward the page limit')
    .protects('A list of devices shows exactly the devices that are logged in.')
    .check(async (store) => {
      const bob = await addAccount(store, 'bob')
      const before = await addAccount(store, 'ann')
      await openAt(store, before, '0')
      await store.accounts.setPassword(before.id, hashOf('new'))
      const ann = await accountOf(store, before.id)
      await openAt(store, { ...ann, epoch: (ann.epoch + 1) as Epoch }, '1')
      await openAt(store, ann, '2', { endsAt: LATER })
      await openAt(store, ann, '3', { current: { ...aGeneration('3'), idleEndsAt: LATER } })
      await store.sessions.end((await openAt(store, ann, '4')).id)
      const first = await openAt(store, ann, '5')
      const second = await openAt(store, ann, '7')
      await assertPage(store, ann, { limit: 2, at: LATER }, [first, second])
      await assertPage(store, ann, { limit: 10, at: LATER }, [first, second])
      await assertPage(store, bob, { limit: 10, at: LATER }, [await openAt(store, bob, '6')])
      assert.deepEqual(await pageOf(store, UNKNOWN, { limit: 10 }), [])
    }),
  accountLaw('a refreshed session keeps its position and shows its current generation')
    .protects('A refresh neither moves nor duplicates the device in the list.')
    .check(async (store, ann) => {
      const first = await openAt(store, ann, '1')
      const second = await openAt(store, ann, '2')
      const third = await openAt(store, ann, '3')
      const moved = await rotate(store, await rotate(store, second))
      assert.equal(moved.current.number, 3)
      await assertPage(store, ann, { limit: 10 }, [first, moved, third])
      await assertPage(store, ann, { after: second, limit: 10 }, [third])
    }),
  accountLaw('a page shows all 16 concurrent logins')
    .protects('A list of devices includes every login that has completed.')
    .check(async (store, ann) => {
      const opened = await race((caller) => openAt(store, ann, caller.toString(16)))
      await assertPage(store, ann, { limit: 20 }, opened)
    }),
  loginLaw('endOne ends only the given session')
    .protects('A user who logs out one device stays logged in on the other devices.')
    .check(async (store, { account, session }) => {
      const other = await rotate(store, await logIn(store, account, 'other'))
      assert.equal(await store.sessions.endOne(account.id, other.id), 'ended')
      await assertInactive(store, other, SOON)
      assert.equal(await store.sessions.endOne(account.id, other.id), 'unknown')
      await assertActive(store, session, SOON)
      assert.equal((await accountOf(store, account.id)).epoch, account.epoch)
    }),
  loginLaw("endOne returns unknown for another account's session and ends nothing")
    .protects('No user can log out another user, or learn which session ids exist.')
    .check(async (store, { session }) => {
      const bob = await addAccount(store, 'bob')
      for (const accountId of [bob.id, UNKNOWN])
        assert.equal(await store.sessions.endOne(accountId, session.id), 'unknown')
      assert.equal(await store.sessions.endOne(session.accountId, sessionIdOf('other')), 'unknown')
      await assertActive(store, session, SOON)
    }),
  law('endOne treats an impersonated session as a session of the account, not of the actor')
    .protects('A user can log out an administrator who impersonates this user, but no other administrator.')
    .check(async (store) => {
      const { actor, target, acting } = await impersonate(store)
      assert.equal(await store.sessions.endOne(actor.id, acting.id), 'unknown')
      await assertActive(store, acting, SOON)
      assert.equal(await store.sessions.endOne(target.id, acting.id), 'ended')
      await assertInactive(store, acting, SOON)
    }),
  accountLaw('16 concurrent endOne calls end the session once')
    .protects('The logout of a device is audited once.')
    .inRounds(async (store, round, account) => {
      const { id } = await logIn(store, account, `login ${round}`)
      await assertRace({ ended: 1, unknown: 15 }, () => store.sessions.endOne(account.id, id))
    }),
  law(
    'endOthers ends all sessions of the account except the given session, and no sessions of other accounts',
  )
    .protects('A user who has lost a device can log it out and stay logged in on the current device.')
    .check(async (store) => {
      const [ann, bob] = [await addAccount(store, 'ann'), await addAccount(store, 'bob')]
      const others = [await logIn(store, ann, 'a1'), await rotate(store, await logIn(store, ann, 'a2'))]
      const kept = await rotate(store, await logIn(store, ann, 'kept'))
      const foreign = await logIn(store, bob, 'b1')
      assert.equal(await store.sessions.endOthers(ann.id, kept.id, SOON), 2)
      for (const session of others) await assertInactive(store, session, SOON)
      for (const session of [kept, foreign]) await assertActive(store, session, SOON)
      assert.equal(await store.sessions.endOthers(ann.id, kept.id, SOON), 0)
      assert.equal(await store.sessions.endOthers(UNKNOWN, kept.id, SOON), 0)
      assert.equal((await accountOf(store, ann.id)).epoch, ann.epoch)
    }),
  law('endOthers ends sessions in which the account is the actor and impersonated sessions of the account')
    .protects('An administrator who logs out everywhere else does not stay logged in as another user.')
    .check(async (store) => {
      const { actor, target } = await actorPair(store)
      const root = await addAccount(store, 'root')
      const earlier = await actAs(store, target, actor, 'ended before')
      const ended = [await actAs(store, target, actor), await actAs(store, actor, root, 'acted in')]
      const kept = [
        await logIn(store, actor, 'here'),
        await logIn(store, target, 'of the target'),
        await actAs(store, target, root, 'of another actor'),
      ]
      assert.equal(await store.sessions.end(earlier.id), 'ended')
      assert.equal(await store.sessions.endOthers(actor.id, sessionIdOf('here'), SOON), 2)
      for (const session of ended) await assertInactive(store, session, SOON)
      for (const session of kept) await assertActive(store, session, SOON)
    }),
  accountLaw('endOthers counts only active sessions, but also ends inactive sessions')
    .protects('The number of ended sessions equals the number of other devices in the list.')
    .check(async (store, account) => {
      const over = [
        await logIn(store, account, 'idle', { current: { ...aGeneration('idle'), idleEndsAt: SOON } }),
        await logIn(store, account, 'absolute', { endsAt: SOON }),
      ]
      await logIn(store, account, 'active', { endsAt: SOON + 1 })
      assert.equal(await store.sessions.endOthers(account.id, sessionIdOf('kept'), SOON), 1)
      for (const session of over) await assertInactive(store, session, NOW)
    }),
  accountLaw('16 concurrent endOthers calls count each session once')
    .protects('The audit log shows the correct number of devices.')
    .check(async (store, account) => {
      const kept = await logIn(store, account, 'kept')
      await inRounds(async (round) => {
        const others = await eachInOrder([1, 2, 3], (device) =>
          logIn(store, account, `login ${round} ${device}`),
        )
        const counts = await race(() => store.sessions.endOthers(account.id, kept.id, SOON))
        assert.equal(sumOf(counts), 3)
        for (const session of others) await assertInactive(store, session, SOON)
        await assertActive(store, kept, SOON)
      })
    }),
  onePointLaw(
    'an effect of endOthers is visible',
    'A user who logs in again on a device stays logged in there.',
    (store, { id }) =>
      () =>
        store.sessions.endOthers(id, sessionIdOf('kept'), SOON),
    false,
  ),
]

type Request = { after?: SessionPosition | undefined; limit: number; at?: Instant }

async function assertPage(store: Store, { id }: Account, request: Request, expected: readonly Session[]) {
  assert.deepEqual(await pageOf(store, id, request), expected, JSON.stringify(request))
}

async function pageOf(store: Store, accountId: AccountId, { after, limit, at = LATER }: Request) {
  const position = after && { createdAt: after.createdAt, id: after.id }
  return await store.sessions.pageOf({ accountId, limit, at, ...(position && { after: position }) })
}

/** Opens sessions, three of them with the same start time, and returns the sessions in page order. */
async function fiveSessions(store: Store, account: Account): Promise<readonly Session[]> {
  const last = await openAt(store, account, '0', { createdAt: NOW + 2 * SECOND })
  const f = await openAt(store, account, 'f', { createdAt: NOW + SECOND })
  const first = await openAt(store, account, '9')
  const one = await openAt(store, account, '1', { createdAt: NOW + SECOND })
  const a = await openAt(store, account, 'a', { createdAt: NOW + SECOND })
  return [first, one, a, f, last]
}

/** Opens a session whose ID begins with the given hexadecimal digit. */
async function openAt(store: Store, account: Account, digit: string, change: Partial<Session> = {}) {
  const { id } = positionOf(digit)
  const session = { ...aSession(account, digit), ...change, id }
  await store.sessions.open(session)
  return session
}

function positionOf(digit: string, createdAt = NOW): SessionPosition {
  return { createdAt, id: `${digit}0000000-0000-4000-a000-000000000000` as SessionId }
}
