import assert from 'node:assert/strict'
import type { Epoch } from '../../domain/identity/account.js'
import type { Session } from '../../domain/identity/session.js'
import { accountOf, enrol, giveRole, logIn } from '../arrangements.js'
import {
  actorAndTarget,
  assertGone,
  assertActive,
  activeIds,
  movedBy,
  rotate,
  read,
} from '../active-sessions.js'
import { lawOf, type Law } from '../law.js'
import { anActor, aRotation, aSession, hashOf, NOW, SECOND, UNKNOWN } from '../samples.js'
import { tamperWith } from '../tamper.js'
import type { Role } from '../../domain/access/role.js'
import type { Store } from '../../ports/store.js'

const law = lawOf('sessions')
const SOON = NOW + 5 * SECOND

/** Sessions in which another account acts as the account of the session. */
export const sessionActorLaws: readonly Law[] = [
  law('a session with an actor is kept with it, and one without has none')
    .protects('An administrator who acts as another account is known by name in everything that is done.')
    .check(async (store) => {
      const { actor, target } = await actorAndTarget(store, `Zo\u00eb "'$ne`)
      const own = await logIn(store, target, 'own')
      const acting = await logIn(store, target, 'acting', { actor: anActor(actor) })
      const expectations = [
        { session: own, account: target },
        { session: acting, account: target, actorRoles: [] },
      ]
      for (const expected of expectations) {
        const { session } = expected
        assert.deepEqual(await store.sessions.find(session.current.keyDigest, NOW), expected)
        assert.deepEqual(await store.sessions.findById(session.id, NOW), expected)
      }
      assert.deepEqual(await activeIds(store, target, SOON), [own.id, acting.id].sort())
      const page = await store.sessions.pageOf({ accountId: target.id, limit: 10, at: NOW })
      assert.deepEqual(new Set(page), new Set([own, acting]))
    }),
  law('a refresh leaves the actor as it is')
    .protects('A refresh does not turn the actor into the account.')
    .check(async (store) => {
      const { actor, target } = await actorAndTarget(store)
      const acting = await logIn(store, target, 'acting', { actor: anActor(actor) })
      const moved = await rotate(store, acting)
      assert.deepEqual(moved.actor, anActor(actor))
      assert.deepEqual(await read(store, moved, SOON), moved)
      const again = movedBy(await store.sessions.rotate(aRotation(acting, {}, 1)), 'superseded')
      assert.deepEqual(again, moved)
      const before = await store.sessions.find(acting.current.keyDigest, SOON)
      assert.deepEqual(before?.session, moved)
    }),
  law('changing an actor that was passed in or handed out changes nothing in the store')
    .protects('Changing an object puts no other name to what was done.')
    .check(async (store) => {
      const { actor, target } = await actorAndTarget(store)
      const passedIn = { ...aSession(target, 'acting'), actor: anActor(actor) }
      const pristine = structuredClone(passedIn)
      await store.sessions.open(passedIn)
      tamperWith(passedIn)
      const request = { accountId: target.id, limit: 1, at: NOW }
      const reads = [
        async () => (await store.sessions.find(pristine.current.keyDigest, NOW))?.session,
        async () => await read(store, pristine, NOW),
        async () => (await store.sessions.pageOf(request))[0],
      ]
      for (const readOnce of [...reads, ...reads]) {
        const found = await readOnce()
        assert.deepEqual(found, pristine)
        tamperWith(found)
      }
      tamperWith(await rotate(store, pristine))
      assert.deepEqual((await read(store, pristine, SOON))?.actor, pristine.actor)
    }),
  law('the end of the own login of an actor is not that of the session')
    .protects('An impersonation lasts as long as it was given, whatever it is to come back to.')
    .check(async (store) => {
      const { actor, target } = await actorAndTarget(store)
      const endsAt = NOW + SECOND
      const acting = await logIn(store, target, 'acting', { actor: { ...anActor(actor), endsAt } })
      await assertActive(store, acting, endsAt + SECOND)
    }),
  law('what moves no epoch of the actor ends no session in which it acts')
    .protects('An impersonation is not cut off by a hash made anew or by another role.')
    .check(async (store) => {
      const { actor, target } = await actorAndTarget(store)
      const acting = await logIn(store, target, 'acting', { actor: anActor(actor) })
      await giveRole(store, actor, 'editor')
      assert.equal(await store.accounts.replaceHash(actor.id, hashOf('actor'), hashOf('anew')), 'replaced')
      assert.equal(await store.accounts.setDisabled(actor.id, undefined), 'unchanged')
      await assertActive(store, acting, SOON)
    }),
  law('a session that is opened with an actor who is disabled, gone or of another epoch is never active')
    .protects('An impersonation that raced the lock of its actor gains nothing.')
    .check(async (store) => {
      const { actor, target } = await actorAndTarget(store)
      const gone = await enrol(store, 'gone')
      await store.accounts.remove(gone.id)
      await store.accounts.setDisabled(actor.id, NOW)
      const locked = anActor(await accountOf(store, actor.id))
      const other = anActor(await enrol(store, 'other'))
      const actors = [
        ...[locked, anActor(actor), anActor(gone), { ...other, accountId: UNKNOWN }],
        ...[0, 2].map((epoch) => ({ ...other, epoch: epoch as Epoch })),
      ]
      for (const [index, one] of actors.entries()) {
        const session = await logIn(store, target, `acting ${index}`, { actor: one })
        await assertGone(store, session, SOON)
      }
      await assertActive(store, await logIn(store, target, 'acting', { actor: other }), SOON)
    }),
  law('a session whose actor has gone is on no page and takes no place on one')
    .protects('A list of sessions shows who is in the account now.')
    .check(async (store) => {
      const { actor, target } = await actorAndTarget(store)
      const active: Session[] = []
      for (const second of [1, 2, 3]) {
        const createdAt = NOW + second * SECOND
        await logIn(store, target, `acting ${second}`, { createdAt, actor: anActor(actor) })
        active.push(await logIn(store, target, `own ${second}`, { createdAt: createdAt + 1 }))
      }
      await store.sessions.endAllOf(actor.id)
      const first = { accountId: target.id, limit: 2, at: SOON }
      assert.deepEqual(await store.sessions.pageOf(first), active.slice(0, 2))
      const after = active[1]
      assert.ok(after)
      assert.deepEqual(await store.sessions.pageOf({ ...first, after }), active.slice(2))
    }),
  law(
    'a session with an actor comes with the roles that its actor has at the moment, apart from those of the account',
  )
    .protects('An administrator who is one no more acts as no account from the next request on.')
    .check(async (store) => {
      const { actor, target } = await actorAndTarget(store)
      const acting = await rotate(store, await logIn(store, target, 'acting', { actor: anActor(actor) }))
      await assertRoles(store, acting, [], [])
      const editor = await giveRole(store, target, 'editor')
      const admin = await giveRole(store, actor, 'admin')
      const auditor = await giveRole(store, actor, 'auditor')
      await assertRoles(store, acting, [editor], [admin, auditor])
      assert.equal(await store.roles.unassign(actor.email, admin.key), 'unassigned')
      await assertRoles(store, acting, [editor], [auditor])
      assert.equal(await store.roles.unassign(target.email, editor.key), 'unassigned')
      await assertRoles(store, acting, [], [auditor])
    }),
  law('each session comes with the roles of its own actor, and one without an actor with none')
    .protects('No account acts by the right of another one.')
    .check(async (store) => {
      const { actor, target } = await actorAndTarget(store)
      const other = await enrol(store, 'other')
      const admin = await giveRole(store, actor, 'admin')
      const own = await logIn(store, target, 'own')
      const acting = await logIn(store, target, 'acting', { actor: anActor(actor) })
      const byOther = await logIn(store, target, 'by another', { actor: anActor(other) })
      await assertRoles(store, acting, [], [admin])
      await assertRoles(store, byOther, [], [])
      await assertRoles(store, own, [], undefined)
    }),
  law('changing the roles of an actor that were handed out changes nothing in the store')
    .protects('Changing an object gives no right.')
    .check(async (store) => {
      const { actor, target } = await actorAndTarget(store)
      const admin = await giveRole(store, actor, 'admin')
      const acting = await logIn(store, target, 'acting', { actor: anActor(actor) })
      for (const look of [...reads(store, acting), ...reads(store, acting)]) tamperWith(await look())
      await assertRoles(store, acting, [], [admin])
      assert.deepEqual((await store.accounts.find(actor.id))?.roles, [admin])
    }),
]

/** Every way to a session, by its keys and by its id. */
function reads(store: Store, { id, current, previous }: Session) {
  const keys = [current.keyDigest, ...(previous ? [previous.keyDigest] : [])]
  return [...keys.map((key) => () => store.sessions.find(key, SOON)), () => store.sessions.findById(id, SOON)]
}

/** Twice, as what is cached from the first look may not be what is there at the second. */
async function assertRoles(
  store: Store,
  session: Session,
  own: readonly Role[],
  actors: readonly Role[] | undefined,
): Promise<void> {
  for (const look of [...reads(store, session), ...reads(store, session)]) {
    const found = await look()
    assert.deepEqual(found?.account.roles, own)
    assert.deepEqual(found.actorRoles, actors)
  }
}
