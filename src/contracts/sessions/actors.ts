import assert from 'node:assert/strict'
import type { Role } from '../../domain/access/role.js'
import type { Epoch } from '../../domain/identity/account.js'
import type { Session } from '../../domain/identity/session.js'
import type { Store } from '../../ports/store.js'
import { accountOf, addAccount, giveRole, logIn } from '../arrangements.js'
import { eachInOrder, lawOf, type Law } from '../law.js'
import {
  actAs,
  activeIds,
  actorPair,
  assertActive,
  assertInactive,
  assertFound,
  impersonate,
  sessionIn,
  read,
  rotate,
} from '../logins.js'
import { anActor, aRotation, hashOf, NOW, SECOND, UNKNOWN } from '../samples.js'

const law = lawOf('sessions')
const actingLaw = lawOf('sessions', (store) => impersonate(store))
const SOON = NOW + 5 * SECOND

/** Contract tests for impersonation, in which one account (the actor) acts as another account. */
export const sessionActorLaws: readonly Law[] = [
  law('a session always has the actor with which it was opened, or no actor if it was opened without one')
    .protects('Every action during an impersonation is attributed to the administrator.')
    .check(async (store) => {
      const { target, acting } = await impersonate(store, `Zo\u00eb "'$ne`)
      const own = await logIn(store, target, 'own')
      const expectations = [
        { session: own, account: target },
        { session: acting, account: target, actorRoles: [] },
      ]
      for (const expected of expectations) {
        const { session } = expected
        await assertFound(store, session)
        assert.deepEqual(await store.sessions.find(session.current.keyDigest, NOW), expected)
        assert.deepEqual(await store.sessions.findById(session.id, NOW), expected)
      }
      assert.deepEqual(await activeIds(store, target, SOON), [own.id, acting.id].sort())
    }),
  actingLaw('a refresh keeps the actor')
    .protects('A refresh does not turn an impersonation into a login of the account.')
    .check(async (store, { actor, acting }) => {
      const moved = await rotate(store, acting)
      assert.deepEqual(moved.actor, anActor(actor))
      assert.deepEqual(await read(store, moved, SOON), moved)
      const again = sessionIn(await store.sessions.rotate(aRotation(acting, {}, 1)), 'superseded')
      assert.deepEqual(again, moved)
      const before = await store.sessions.find(acting.current.keyDigest, SOON)
      assert.deepEqual(before?.session, moved)
    }),
  law("an impersonated session survives the end of the actor's own session")
    .protects("An impersonation lasts its full time, even if the actor's own login ends earlier.")
    .check(async (store) => {
      const { actor, target } = await actorPair(store)
      const endsAt = NOW + SECOND
      const acting = await logIn(store, target, 'acting', { actor: { ...anActor(actor), endsAt } })
      await assertActive(store, acting, endsAt + SECOND)
    }),
  actingLaw("changes that keep the actor's epoch do not end sessions in which the actor acts")
    .protects('A rehashed password or a new role does not interrupt an impersonation.')
    .check(async (store, { actor, acting }) => {
      await giveRole(store, actor, 'editor')
      assert.equal(await store.accounts.replaceHash(actor.id, hashOf('actor'), hashOf('anew')), 'replaced')
      assert.equal(await store.accounts.setDisabled(actor.id, undefined), 'unchanged')
      await assertActive(store, acting, SOON)
    }),
  law('a session is never active if the actor is disabled, removed or has a different epoch')
    .protects('An impersonation that begins while its actor is being disabled is never active.')
    .check(async (store) => {
      const { actor, target } = await actorPair(store)
      const gone = await addAccount(store, 'gone')
      await store.accounts.remove(gone.id)
      await store.accounts.setDisabled(actor.id, NOW)
      const locked = anActor(await accountOf(store, actor.id))
      const other = anActor(await addAccount(store, 'other'))
      const actors = [
        ...[locked, anActor(actor), anActor(gone), { ...other, accountId: UNKNOWN }],
        ...[0, 2].map((epoch) => ({ ...other, epoch: epoch as Epoch })),
      ]
      for (const [index, one] of actors.entries()) {
        const session = await logIn(store, target, `acting ${index}`, { actor: one })
        await assertInactive(store, session, SOON)
      }
      await assertActive(store, await logIn(store, target, 'acting', { actor: other }), SOON)
    }),
  law('a session of a removed actor does not appear on any page and does not count toward the page limit')
    .protects('A list of sessions shows only logins that are active.')
    .check(async (store) => {
      const { actor, target } = await actorPair(store)
      const active = await eachInOrder([1, 2, 3], async (second) => {
        const createdAt = NOW + second * SECOND
        await logIn(store, target, `acting ${second}`, { createdAt, actor: anActor(actor) })
        return await logIn(store, target, `own ${second}`, { createdAt: createdAt + 1 })
      })
      await store.sessions.endAllOf(actor.id)
      const first = { accountId: target.id, limit: 2, at: SOON }
      assert.deepEqual(await store.sessions.pageOf(first), active.slice(0, 2))
      const after = active[1]
      assert.ok(after)
      assert.deepEqual(await store.sessions.pageOf({ ...first, after }), active.slice(2))
    }),
  law('an impersonated session contains the current roles of the actor and, separately, of the account')
    .protects('A demoted administrator can no longer impersonate, starting with the next request.')
    .check(async (store) => {
      const { actor, target } = await actorPair(store)
      const acting = await rotate(store, await actAs(store, target, actor))
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
  actingLaw("each session is returned with its actor's roles, if it has an actor")
    .protects("No account acts with another account's roles.")
    .check(async (store, { actor, target, acting }) => {
      const other = await addAccount(store, 'other')
      const admin = await giveRole(store, actor, 'admin')
      const own = await logIn(store, target, 'own')
      const byOther = await actAs(store, target, other, 'by another')
      await assertRoles(store, acting, [], [admin])
      await assertRoles(store, byOther, [], [])
      await assertRoles(store, own, [], undefined)
    }),
]

function reads(store: Store, { id, current, previous }: Session) {
  const keys = [current.keyDigest, ...(previous ? [previous.keyDigest] : [])]
  return [...keys.map((key) => () => store.sessions.find(key, SOON)), () => store.sessions.findById(id, SOON)]
}

/** Reads twice, because a cache may answer the second read. */
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
