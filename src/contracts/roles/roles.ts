import assert from 'node:assert/strict'
import type { RoleKey } from '../../domain/access/role.js'
import { accountOf, enrol, establish, giveRole, logIn } from '../arrangements.js'
import { assertRace, inRounds, inTurn, numbersBelow, race } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { aRole, AWKWARD_TEXTS, emailOf, NOW } from '../samples.js'

const law = lawOf('roles')
const accountLaw = lawOf('roles', enrol)
const NO_ROLE = 'nothing' as RoleKey

export const roleLaws: readonly Law[] = [
  law('roles are listed by key')
    .protects('An operator finds every role, in a stable order.')
    .check(async (store) => {
      assert.deepEqual(await store.roles.list(), [])
      for (const key of ['writer', 'editor', 'owner'])
        assert.equal(await store.roles.insert(aRole(key)), 'inserted')
      assert.deepEqual(await store.roles.list(), [aRole('editor'), aRole('owner'), aRole('writer')])
    }),
  law('a second insert of a key is rejected and changes nothing')
    .protects('A role that accounts hold is not replaced.')
    .check(async (store) => {
      await store.roles.insert(aRole('editor'))
      const again = { ...aRole('editor', 'Another'), uuid: aRole('other').uuid }
      assert.equal(await store.roles.insert(again), 'duplicate-key')
      assert.deepEqual(await store.roles.list(), [aRole('editor')])
    }),
  law('16 concurrent inserts of one key succeed exactly once')
    .protects('A key means one role.')
    .inRounds(async (store, round) => {
      await assertRace({ inserted: 1, 'duplicate-key': 15 }, (caller) =>
        store.roles.insert({ ...aRole(`key${round}`), uuid: aRole(`${round} ${caller}`).uuid }),
      )
      assert.equal((await store.roles.list()).length, round)
    }),
  law('assign gives the role once, to this account only')
    .protects('Only the intended account gets a right.')
    .check(async (store) => {
      const [ann, bob] = [await enrol(store, 'ann'), await enrol(store, 'bob')]
      const editor = await establish(store, 'editor')
      assert.equal(await store.roles.assign(ann.email, editor.key), 'assigned')
      assert.equal(await store.roles.assign(ann.email, editor.key), 'already-assigned')
      assert.deepEqual((await accountOf(store, ann.id)).roles, [editor])
      assert.deepEqual((await accountOf(store, bob.id)).roles, [])
    }),
  accountLaw('assign and unassign report an unknown account or role')
    .protects('A mistyped command gets a clear answer and creates nothing.')
    .check(async (store, ann) => {
      const editor = await establish(store, 'editor')
      assert.equal(await store.roles.assign(emailOf('bob'), editor.key), 'unknown-account')
      assert.equal(await store.roles.assign(ann.email, NO_ROLE), 'unknown-role')
      assert.equal(await store.roles.unassign(emailOf('bob'), editor.key), 'unknown-account')
      assert.equal(await store.roles.unassign(ann.email, NO_ROLE), 'unknown-role')
      assert.deepEqual((await accountOf(store, ann.id)).roles, [])
      assert.deepEqual(await store.roles.list(), [editor])
    }),
  accountLaw('16 concurrent assignments of one role succeed exactly once')
    .protects('One membership: taking the role away once takes it away.')
    .check(async (store, ann) => {
      await inRounds(async (round) => {
        const role = await establish(store, `role${round}`)
        await assertRace({ assigned: 1, 'already-assigned': 15 }, () =>
          store.roles.assign(ann.email, role.key),
        )
        assert.equal((await accountOf(store, ann.id)).roles.length, round)
      })
    }),
  accountLaw('none of 16 different roles assigned concurrently is lost')
    .protects('Two operators at work do not undo each other.')
    .check(async (store, ann) => {
      const roles = await inTurn(numbersBelow(16), (caller) => establish(store, `role${caller}`))
      await race((caller) => store.roles.assign(ann.email, roles[caller]?.key ?? NO_ROLE))
      assert.equal((await accountOf(store, ann.id)).roles.length, 16)
    }),
  accountLaw('16 concurrent withdrawals of one role succeed exactly once')
    .protects('If two operators take a role away, only one operator gets a success.')
    .inRounds(async (store, round, ann) => {
      const role = await giveRole(store, ann, `role${round}`)
      await assertRace({ unassigned: 1, 'not-assigned': 15 }, () => store.roles.unassign(ann.email, role.key))
    }),
  accountLaw('unassign takes away only the given role')
    .protects('A right that was taken back is gone.')
    .check(async (store, ann) => {
      const bob = await enrol(store, 'bob')
      const [editor, owner] = [await giveRole(store, ann, 'editor'), await giveRole(store, ann, 'owner')]
      await store.roles.assign(bob.email, editor.key)
      assert.equal(await store.roles.unassign(ann.email, editor.key), 'unassigned')
      assert.equal(await store.roles.unassign(ann.email, editor.key), 'not-assigned')
      assert.deepEqual((await accountOf(store, ann.id)).roles, [owner])
      assert.deepEqual((await accountOf(store, bob.id)).roles, [editor])
      assert.equal((await store.roles.list()).length, 2, 'the role itself stays')
    }),
  accountLaw('assign and unassign take effect at the next read of a session')
    .protects('No account keeps a right until the next login.')
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
    .protects('Holding "Admin" is not holding "admin".')
    .check(async (store, ann) => {
      const [capital, small] = [aRole('Admin'), aRole('admin')]
      assert.equal(await store.roles.insert(capital), 'inserted')
      assert.equal(await store.roles.assign(ann.email, small.key), 'unknown-role')
      assert.equal(await store.roles.insert(small), 'inserted')
      assert.equal(await store.roles.assign(ann.email, capital.key), 'assigned')
      assert.deepEqual((await accountOf(store, ann.id)).roles, [capital])
    }),
  law('labels are kept exactly')
    .protects('No text is changed or executed as a command.')
    .check(async (store) => {
      const roles = AWKWARD_TEXTS.map((text, index) => aRole(`role${String(index).padStart(2, '0')}`, text))
      for (const role of roles) await store.roles.insert(role)
      assert.deepEqual(await store.roles.list(), roles)
    }),
]
