import assert from 'node:assert/strict'
import type { Role } from '../../domain/access/role.js'
import type { Session } from '../../domain/identity/session.js'
import type { Store } from '../../ports/store.js'
import { actorAndTarget, enrol, giveRole, logIn, rotate } from '../arrangements.js'
import { lawOf, type Law } from '../law.js'
import { anActor, NOW, SECOND } from '../samples.js'
import { tamperWith } from '../tamper.js'

const law = lawOf('sessions')
const SOON = NOW + 5 * SECOND

/** What a look-up of a session tells of the roles of its actor. */
export const sessionActorRoleLaws: readonly Law[] = [
  law(
    'a session with an actor comes with the roles that its actor has at the moment, apart from those of the account',
    'An administrator who is one no more acts as no account from the next request on.',
    async (store) => {
      const { actor, target } = await actorAndTarget(store)
      const acting = await rotate(store, await logIn(store, target, 'acting', { actor: anActor(actor) }))
      await assertRoles(store, acting, [], [])
      const editor = await giveRole(store, target, 'editor')
      const [admin, auditor] = [
        await giveRole(store, actor, 'admin'),
        await giveRole(store, actor, 'auditor'),
      ]
      await assertRoles(store, acting, [editor], [admin, auditor])
      assert.equal(await store.roles.unassign(actor.email, admin.key), 'unassigned')
      await assertRoles(store, acting, [editor], [auditor])
      assert.equal(await store.roles.unassign(target.email, editor.key), 'unassigned')
      await assertRoles(store, acting, [], [auditor])
    },
  ),
  law(
    'each session comes with the roles of its own actor, and one without an actor with none',
    'No account acts by the right of another one.',
    async (store) => {
      const { actor, target } = await actorAndTarget(store)
      const other = await enrol(store, 'other')
      const admin = await giveRole(store, actor, 'admin')
      const own = await logIn(store, target, 'own')
      const acting = await logIn(store, target, 'acting', { actor: anActor(actor) })
      const byOther = await logIn(store, target, 'by another', { actor: anActor(other) })
      await assertRoles(store, acting, [], [admin])
      await assertRoles(store, byOther, [], [])
      await assertRoles(store, own, [], undefined)
    },
  ),
  law(
    'changing the roles of an actor that were handed out changes nothing in the store',
    'Changing an object gives no right.',
    async (store) => {
      const { actor, target } = await actorAndTarget(store)
      const admin = await giveRole(store, actor, 'admin')
      const acting = await logIn(store, target, 'acting', { actor: anActor(actor) })
      for (const read of [...reads(store, acting), ...reads(store, acting)]) tamperWith(await read())
      await assertRoles(store, acting, [], [admin])
      assert.deepEqual((await store.accounts.find(actor.id))?.roles, [admin])
    },
  ),
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
  for (const read of [...reads(store, session), ...reads(store, session)]) {
    const found = await read()
    assert.deepEqual(found?.account.roles, own)
    assert.deepEqual(found.actorRoles, actors)
  }
}
