import assert from 'node:assert/strict'
import type { RoleKey } from '../../domain/access/role.js'
import { accountOf, enrol, giveRole, logIn } from '../arrangements.js'
import { inRounds, race, tally } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { aRole, AWKWARD_TEXTS, emailOf, NOW } from '../samples.js'
import { tamperWith } from '../tamper.js'

const law = lawOf('roles')
const NO_ROLE = 'nothing' as RoleKey

export const roleLaws: readonly Law[] = [
  law('roles are listed by key')
    .protects('An operator finds every role, in an order that stays.')
    .check(async (store) => {
      assert.deepEqual(await store.roles.list(), [])
      for (const key of ['writer', 'editor', 'owner'])
        assert.equal(await store.roles.insert(aRole(key)), 'inserted')
      assert.deepEqual(await store.roles.list(), [aRole('editor'), aRole('owner'), aRole('writer')])
    }),
  law('a second insert of a key is refused and changes nothing')
    .protects('A role that accounts hold is not replaced under them.')
    .check(async (store) => {
      await store.roles.insert(aRole('editor'))
      const again = { ...aRole('editor', 'Another'), uuid: aRole('other').uuid }
      assert.equal(await store.roles.insert(again), 'duplicate-key')
      assert.deepEqual(await store.roles.list(), [aRole('editor')])
    }),
  law('of 16 inserts of one key at once exactly one is inserted')
    .protects('A key means one role.')
    .inRounds(async (store, round) => {
      const answers = await race((caller) =>
        store.roles.insert({ ...aRole(`key${round}`), uuid: aRole(`${round} ${caller}`).uuid }),
      )
      assert.deepEqual(tally(answers), { inserted: 1, 'duplicate-key': 15 })
      assert.equal((await store.roles.list()).length, round)
    }),
  law('assign gives the role once, to that account only')
    .protects('Rights go to whom they were given.')
    .check(async (store) => {
      const [ann, bob] = [await enrol(store, 'ann'), await enrol(store, 'bob')]
      const editor = aRole('editor')
      await store.roles.insert(editor)
      assert.equal(await store.roles.assign(ann.email, editor.key), 'assigned')
      assert.equal(await store.roles.assign(ann.email, editor.key), 'already-assigned')
      assert.deepEqual((await accountOf(store, ann.id)).roles, [editor])
      assert.deepEqual((await accountOf(store, bob.id)).roles, [])
    }),
  law('assign and unassign say which of the two is missing')
    .protects('An operator who mistypes is told what, and nothing is made up.')
    .check(async (store) => {
      const ann = await enrol(store)
      const editor = aRole('editor')
      await store.roles.insert(editor)
      assert.equal(await store.roles.assign(emailOf('bob'), editor.key), 'unknown-account')
      assert.equal(await store.roles.assign(ann.email, NO_ROLE), 'unknown-role')
      assert.equal(await store.roles.unassign(emailOf('bob'), editor.key), 'unknown-account')
      assert.equal(await store.roles.unassign(ann.email, NO_ROLE), 'unknown-role')
      assert.deepEqual((await accountOf(store, ann.id)).roles, [])
      assert.deepEqual(await store.roles.list(), [editor])
    }),
  law('of 16 assignments of one role at once exactly one assigns')
    .protects('One membership: taking the role away once takes it away.')
    .check(async (store) => {
      const ann = await enrol(store)
      await inRounds(async (round) => {
        const role = aRole(`role${round}`)
        await store.roles.insert(role)
        const answers = await race(() => store.roles.assign(ann.email, role.key))
        assert.deepEqual(tally(answers), { assigned: 1, 'already-assigned': 15 })
        assert.equal((await accountOf(store, ann.id)).roles.length, round)
      })
    }),
  law('of 16 different roles assigned at once none is lost')
    .protects('Two operators at work do not undo each other.')
    .check(async (store) => {
      const ann = await enrol(store)
      const keys = Array.from({ length: 16 }, (_, caller) => aRole(`role${caller}`).key)
      for (const key of keys) await store.roles.insert(aRole(key))
      await race((caller) => store.roles.assign(ann.email, keys[caller] ?? NO_ROLE))
      const held = (await accountOf(store, ann.id)).roles.map((role) => role.key)
      assert.deepEqual(held, [...keys].sort())
    }),
  law('unassign takes the role away, and only that one')
    .protects('Rights that were taken back are gone.')
    .check(async (store) => {
      const ann = await enrol(store)
      const bob = await enrol(store, 'bob')
      const [editor, owner] = [await giveRole(store, ann, 'editor'), await giveRole(store, ann, 'owner')]
      await store.roles.assign(bob.email, editor.key)
      assert.equal(await store.roles.unassign(ann.email, editor.key), 'unassigned')
      assert.equal(await store.roles.unassign(ann.email, editor.key), 'not-assigned')
      assert.deepEqual((await accountOf(store, ann.id)).roles, [owner])
      assert.deepEqual((await accountOf(store, bob.id)).roles, [editor])
      assert.equal((await store.roles.list()).length, 2, 'the role itself stays')
    }),
  law('assign and unassign take effect at the next read of a session')
    .protects('No account keeps a right until the next login.')
    .check(async (store) => {
      const ann = await enrol(store)
      const session = await logIn(store, ann)
      const editor = await giveRole(store, ann, 'editor')
      const byKey = await store.sessions.find(session.current.keyDigest, NOW)
      assert.deepEqual(byKey?.account.roles, [editor])
      await store.roles.unassign(ann.email, editor.key)
      const byId = await store.sessions.findById(session.id, NOW)
      assert.deepEqual(byId?.account.roles, [])
    }),
  law('keys of different case are different roles')
    .protects('Holding "Admin" is not holding "admin".')
    .check(async (store) => {
      const ann = await enrol(store)
      const [capital, small] = [aRole('Admin'), aRole('admin')]
      assert.equal(await store.roles.insert(capital), 'inserted')
      assert.equal(await store.roles.assign(ann.email, small.key), 'unknown-role')
      assert.equal(await store.roles.insert(small), 'inserted')
      assert.equal(await store.roles.assign(ann.email, capital.key), 'assigned')
      assert.deepEqual((await accountOf(store, ann.id)).roles, [capital])
    }),
  law('labels are kept exactly')
    .protects('No text is changed or taken for a command.')
    .check(async (store) => {
      const roles = AWKWARD_TEXTS.map((text, index) => aRole(`role${String(index).padStart(2, '0')}`, text))
      for (const role of roles) await store.roles.insert(role)
      assert.deepEqual(await store.roles.list(), roles)
    }),
  law('changing what was passed in or handed out changes nothing in the store')
    .protects('Changing an object gives no right.')
    .check(async (store) => {
      const ann = await enrol(store)
      const role = aRole('editor')
      await store.roles.insert(role)
      await store.roles.assign(ann.email, role.key)
      tamperWith(role)
      tamperWith(await store.roles.list())
      assert.deepEqual(await store.roles.list(), [aRole('editor')])
      assert.deepEqual((await accountOf(store, ann.id)).roles, [aRole('editor')])
    }),
]
