import assert from 'node:assert/strict'
import type { Account, AccountId, Epoch } from '../../domain/identity/account.js'
import type { Session, SessionId } from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import type { SessionPosition } from '../../ports/sessions.js'
import type { Store } from '../../ports/store.js'
import { accountOf, enrol, loggedIn, logIn, rotate } from '../arrangements.js'
import { race } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { aGeneration, aSession, DAY, hashOf, NOW, SECOND } from '../samples.js'
import { tamperWith } from '../tamper.js'

const law = lawOf('sessions')
const UNKNOWN = 4_000_000_001 as AccountId
const LATER = NOW + 10 * SECOND

/** The pages of an account's active sessions. */
export const sessionPageLaws: readonly Law[] = [
  law(
    'a page gives the active sessions of the account by the time of their login, then by id',
    'A list of devices does not change its order from call to call.',
    async (store) => {
      const [ann, bob] = [await enrol(store, 'ann'), await enrol(store, 'bob')]
      await openAt(store, bob, 'b', { createdAt: NOW })
      const expected = await fiveSessions(store, ann)
      assert.deepEqual(await pageOf(store, ann.id, { limit: 10 }), expected)
      assert.deepEqual(await pageOf(store, ann.id, { limit: 5 }), expected)
      assert.deepEqual(await pageOf(store, ann.id, { limit: 2 }), expected.slice(0, 2))
    },
  ),
  law(
    'pages walk over all active sessions, also of one moment',
    'A list of devices leaves none out and shows none twice.',
    async (store) => {
      const ann = await enrol(store)
      const expected = await fiveSessions(store, ann)
      for (const limit of [1, 2, 3, 4]) {
        const walked: Session[] = []
        while (walked.length < 5) {
          const page = await pageOf(store, ann.id, { after: walked.at(-1), limit })
          assert.equal(page.length, Math.min(limit, 5 - walked.length))
          walked.push(...page)
        }
        assert.deepEqual(walked, expected, `in steps of ${limit}`)
        assert.deepEqual(await pageOf(store, ann.id, { after: expected.at(-1), limit }), [], 'after the last')
      }
    },
  ),
  law(
    'a page goes on after a session that has ended meanwhile',
    'Logging devices out while reading their list loses none of the others.',
    async (store) => {
      const ann = await enrol(store)
      const sessions = await fiveSessions(store, ann)
      for (const [index, session] of sessions.entries()) {
        await store.sessions.end(session.id)
        assert.deepEqual(
          await pageOf(store, ann.id, { after: session, limit: 10 }),
          sessions.slice(index + 1),
        )
      }
      const next = await openAt(store, ann, '5', { createdAt: NOW + SECOND })
      assert.deepEqual(await pageOf(store, ann.id, { after: positionOf('4', NOW + SECOND), limit: 10 }), [
        next,
      ])
      assert.deepEqual(await pageOf(store, ann.id, { after: positionOf('6', NOW + SECOND), limit: 10 }), [])
    },
  ),
  law(
    'what is not active is on no page and takes no place on one',
    'A list of devices shows those that could act, all of them.',
    async (store) => {
      const bob = await enrol(store, 'bob')
      const before = await enrol(store, 'ann')
      await openAt(store, before, '0', { createdAt: NOW })
      await store.accounts.setPassword(before.id, hashOf('new'))
      const ann = await accountOf(store, before.id)
      await openAt(store, { ...ann, epoch: (ann.epoch + 1) as Epoch }, '1', { createdAt: NOW })
      await openAt(store, ann, '2', { createdAt: NOW, endsAt: LATER })
      await openAt(store, ann, '3', { createdAt: NOW, current: { ...aGeneration('3'), idleEndsAt: LATER } })
      await store.sessions.end((await openAt(store, ann, '4', { createdAt: NOW })).id)
      const first = await openAt(store, ann, '5', { createdAt: NOW })
      const other = await openAt(store, bob, '6', { createdAt: NOW })
      const second = await openAt(store, ann, '7', { createdAt: NOW })
      assert.deepEqual(await pageOf(store, ann.id, { limit: 2, at: LATER }), [first, second])
      assert.deepEqual(await pageOf(store, ann.id, { limit: 10, at: LATER }), [first, second])
      assert.deepEqual(await pageOf(store, bob.id, { limit: 10, at: LATER }), [other])
    },
  ),
  law(
    'a session is on pages strictly before its ends',
    'A list of devices and the door agree on who is in.',
    async (store) => {
      const ann = await enrol(store)
      await openAt(store, ann, '1', { createdAt: NOW, endsAt: NOW + DAY })
      await openAt(store, ann, '2', {
        createdAt: NOW,
        current: { ...aGeneration('2'), idleEndsAt: NOW + 2 * DAY },
      })
      const counts: number[] = []
      for (const at of [NOW + DAY - 1, NOW + DAY, NOW + 2 * DAY - 1, NOW + 2 * DAY]) {
        counts.push((await pageOf(store, ann.id, { limit: 10, at })).length)
      }
      assert.deepEqual(counts, [2, 1, 1, 0])
    },
  ),
  law(
    'an account that is disabled, removed or unknown has empty pages',
    'No disabled account is shown as logged in.',
    async (store) => {
      const { account, session } = await loggedIn(store)
      assert.deepEqual(await pageOf(store, account.id, { limit: 10 }), [session])
      assert.deepEqual(await pageOf(store, UNKNOWN, { limit: 10 }), [])
      await store.accounts.setDisabled(account.id, NOW)
      await logIn(store, await accountOf(store, account.id), 'late')
      assert.deepEqual(await pageOf(store, account.id, { limit: 10 }), [])
      await store.accounts.setDisabled(account.id, undefined)
      assert.deepEqual(await pageOf(store, account.id, { limit: 10 }), [], 'enabled again')
      const next = await logIn(store, await accountOf(store, account.id), 'next')
      assert.deepEqual(await pageOf(store, account.id, { limit: 10 }), [next])
      await store.accounts.remove(account.id)
      await logIn(store, account, 'later')
      assert.deepEqual(await pageOf(store, account.id, { limit: 10 }), [])
    },
  ),
  law(
    'a refreshed session keeps its place and shows its active generation',
    'Using a device does not move it about in the list, nor double it.',
    async (store) => {
      const ann = await enrol(store)
      const [first, second, third] = [
        await openAt(store, ann, '1', { createdAt: NOW }),
        await openAt(store, ann, '2', { createdAt: NOW }),
        await openAt(store, ann, '3', { createdAt: NOW }),
      ]
      const moved = await rotate(store, await rotate(store, second))
      assert.equal(moved.current.number, 3)
      assert.deepEqual(await pageOf(store, ann.id, { limit: 10 }), [first, moved, third])
      assert.deepEqual(await pageOf(store, ann.id, { after: second, limit: 10 }), [third])
    },
  ),
  law(
    'of 16 logins at once none is missing from the page',
    'A list of devices is whole when the login has been answered.',
    async (store) => {
      const ann = await enrol(store)
      const opened = await race((caller) => openAt(store, ann, caller.toString(16), { createdAt: NOW }))
      assert.deepEqual(await pageOf(store, ann.id, { limit: 20 }), opened)
    },
  ),
  law(
    'changing a page that was handed out changes nothing in the store',
    'Changing an object does not move the end of a session.',
    async (store) => {
      const ann = await enrol(store)
      const moved = structuredClone(await rotate(store, await logIn(store, ann)))
      for (const again of [1, 2]) {
        const page = await pageOf(store, ann.id, { limit: 10 })
        assert.deepEqual(page, [moved], `read ${again}`)
        tamperWith(page)
      }
      assert.deepEqual((await store.sessions.findById(moved.id, LATER))?.session, moved)
    },
  ),
]

/** At `LATER` unless said otherwise. */
async function pageOf(
  store: Store,
  accountId: AccountId,
  { after, limit, at = LATER }: { after?: SessionPosition | undefined; limit: number; at?: Instant },
): Promise<readonly Session[]> {
  const position = after && { createdAt: after.createdAt, id: after.id }
  return await store.sessions.pageOf({ accountId, limit, at, ...(position && { after: position }) })
}

/** In the order of pages: opened in another one, three of them at one moment. */
async function fiveSessions(store: Store, account: Account): Promise<readonly Session[]> {
  const last = await openAt(store, account, '0', { createdAt: NOW + 2 * SECOND })
  const f = await openAt(store, account, 'f', { createdAt: NOW + SECOND })
  const first = await openAt(store, account, '9', { createdAt: NOW })
  const one = await openAt(store, account, '1', { createdAt: NOW + SECOND })
  const a = await openAt(store, account, 'a', { createdAt: NOW + SECOND })
  return [first, one, a, f, last]
}

/** Opens a session whose id begins with a hexadecimal digit and goes by it. */
async function openAt(
  store: Store,
  account: Account,
  digit: string,
  change: Partial<Session> & { createdAt: Instant },
): Promise<Session> {
  const { id } = positionOf(digit, change.createdAt)
  const session = { ...aSession(account, digit), ...change, id }
  await store.sessions.open(session)
  return session
}

function positionOf(digit: string, createdAt: Instant): SessionPosition {
  return { createdAt, id: `${digit}0000000-0000-4000-a000-000000000000` as SessionId }
}
