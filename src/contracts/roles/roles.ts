import assert from 'node:assert/strict'
import type { RoleKey } from '../../domain/access/role.js'
import { accountOf, addAccount, ensureRole, giveRole, logIn } from '../arrangements.js'
import { assertRace, inRounds, eachInOrder, numbersBelow, race } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { aRole, AWKWARD_STRINGS, emailOf, NOW } from '../samples.js'

const law = lawOf('roles')
const accountLaw = lawOf('roles', addAccount)
const UNKNOWN_ROLE = 'nothing' as RoleKey

/** Contract tests for creating and assigning roles. */
export const roleLaws: readonly Law[] = [
  law('roles are listed in the order of their keys')
    .protects('Operators see every role, in a stable order.')
    .check(async (store) => {
      assert.deepEqual(await store.roles.list(), [])
      for (const key of ['writer', 'editor', 'owner'])
        assert.equal(await store.roles.insert(aRole(key)), 'inserted')
      assert.deepEqual(await store.roles.list(), [aRole('editor'), aRole('owner'), aRole('writer')])
    }),
  law('a second insert of a role with the same key is rejected and changes nothing')
    .protects('A role in use is never replaced.')
    .check(async (store) => {
      await store.roles.insert(aRole('editor'))
      const again = { ...aRole('editor', 'Another'), uuid: aRole('other').uuid }
      assert.equal(await store.roles.insert(again), 'duplicate-key')
      assert.deepEqual(await store.roles.list(), [aRole('editor')])
    }),
  law('exactly one of 16 concurrent inserts of a role with the same key succeeds')
    .protects('Each key identifies one role.')
    .inRounds(async (store, round) => {
      await assertRace({ inserted: 1, 'duplicate-key': 15 }, (caller) =>
        store.roles.insert({ ...aRole(`key${round}`), uuid: aRole(`${round} ${caller}`).uuid }),
      )
      assert.equal((await store.roles.list()).length, round)
    }),
  law('assign adds the role only to the given account, and only once')
    .protects('Only the intended account gets the role.')
    .check(async (store) => {
      const [ann, bob] = [await addAccount(store, 'ann'), await addAccount(store, 'bob')]
      const editor = await ensureRole(store, 'editor')
      assert.equal(await store.roles.assign(ann.email, editor.key), 'assigned')
      assert.equal(await store.roles.assign(ann.email, editor.key), 'already-assigned')
      assert.deepEqual((await accountOf(store, ann.id)).roles, [editor])
      assert.deepEqual((await accountOf(store, bob.id)).roles, [])
    }),
  accountLaw('assign and unassign report an unknown account or role')
    .protects('A mistyped account or role is reported, and nothing is created.')
    .check(async (store, ann) => {
      const editor = await ensureRole(store, 'editor')
      assert.equal(await store.roles.assign(emailOf('bob'), editor.key), 'unknown-account')
      assert.equal(await store.roles.assign(ann.email, UNKNOWN_ROLE), 'unknown-role')
      assert.equal(await store.roles.unassign(emailOf('bob'), editor.key), 'unknown-account')
      assert.equal(await store.roles.unassign(ann.email, UNKNOWN_ROLE), 'unknown-role')
      assert.deepEqual((await accountOf(store, ann.id)).roles, [])
      assert.deepEqual(await store.roles.list(), [editor])
    }),
  accountLaw('exactly one of 16 concurrent assignments of one role succeeds')
    .protects('Unassigning the role once removes it completely.')
    .check(async (store, ann) => {
      await inRounds(async (round) => {
        const role = await ensureRole(store, `role${round}`)
        await assertRace({ assigned: 1, 'already-assigned': 15 }, () =>
          store.roles.assign(ann.email, role.key),
        )
        assert.equal((await accountOf(store, ann.id)).roles.length, round)
      })
    }),
  accountLaw('none of 16 different roles assigned concurrently is lost')
    .protects("Concurrent operators do not undo each other's changes.")
    .check(async (store, ann) => {
      const roles = await eachInOrder(numbersBelow(16), (caller) => ensureRole(store, `role${caller}`))
      await race((caller) => store.roles.assign(ann.email, roles[caller]?.key ?? UNKNOWN_ROLE))
      assert.equal((await accountOf(store, ann.id)).roles.length, 16)
    }),
  accountLaw('exactly one of 16 concurrent unassignments of one role succeeds')
    .protects('If two operators take a role from an account, only one gets a success response.')
    .inRounds(async (store, round, ann) => {
      const role = await giveRole(store, ann, `role${round}`)
      await assertRace({ unassigned: 1, 'not-assigned': 15 }, () => store.roles.unassign(ann.email, role.key))
    }),
  accountLaw('unassign removes only the given role')
    .protects('The account loses the role and keeps its other roles.')
    .check(async (store, ann) => {
      const bob = await addAccount(store, 'bob')
      const [editor, owner] = [await giveRole(store, ann, 'editor'), await giveRole(store, ann, 'owner')]
      await store.roles.assign(bob.email, editor.key)
      assert.equal(await store.roles.unassign(ann.email, editor.key), 'unassigned')
      assert.equal(await store.roles.unassign(ann.email, editor.key), 'not-assigned')
      assert.deepEqual((await accountOf(store, ann.id)).roles, [owner])
      assert.deepEqual((await accountOf(store, bob.id)).roles, [editor])
      assert.equal((await store.roles.list()).length, 2, 'the role itself still exists')
    }),
  accountLaw('assign and unassign take effect the next time a session is read')
    .protects('A change of roles takes effect without a new login.')
    .check(async (store, ann) => {
      const session = await logIn(store, ann)
      const editor = await giveRole(store, ann, 'editor')
      const byKey = await store.sessions.find(session.current.keyDigest, NOW)
      assert.deepEqual(byKey?.account.roles, [editor])
      await store.roles.unassign(ann.email, editor.key)
      const byId = await store.sessions.findById(session.id, NOW)
      assert.deepEqual(byId?.account.roles, [])
    }),
  accountLaw('keys that differ in case are different roles')
    .protects('The role "Admin" does not give the permissions of "admin".')
    .check(async (store, ann) => {
      const [capital, small] = [aRole('Admin'), aRole('admin')]
      assert.equal(await store.roles.insert(capital), 'inserted')
      assert.equal(await store.roles.assign(ann.email, small.key), 'unknown-role')
      assert.equal(await store.roles.insert(small), 'inserted')
      assert.equal(await store.roles.assign(ann.email, capital.key), 'assigned')
      assert.deepEqual((await accountOf(store, ann.id)).roles, [capital])
    }),
  law('role labels are stored unchanged')
    .protects('Text is stored unchanged and never executed as a command.')
    .check(async (store) => {
      const roles = AWKWARD_STRINGS.map((text, index) => aRole(`role${String(index).padStart(2, '0')}`, text))
      for (const role of roles) await store.roles.insert(role)
      assert.deepEqual(await store.roles.list(), roles)
    }),
]
