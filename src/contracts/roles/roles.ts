import assert from 'node:assert/strict'
import type { RoleKey, Role } from '../../domain/access/role.js'
import type { Instant } from '../../domain/instant.js'
import type { Store } from '../../ports/store.js'
import { accountOf, addAccount, ensureRole, giveRole, logIn } from '../arrangements.js'
import { assertRace, inRounds, eachInOrder, numbersBelow, race, tally, lawOf, type Law } from '../law.js'
import {
  aRole,
  AWKWARD_STRINGS,
  emailOf,
  NOW,
  aNewAccount,
  aNewApiKey,
  apiKeyDigestOf,
  SECOND,
} from '../samples.js'

const law = lawOf('roles')
const accountLaw = lawOf('roles', addAccount)
const UNKNOWN_ROLE = 'nothing' as RoleKey
const keyLaw = lawOf('apiKeys')

/** Contract tests for creating and assigning roles, and for the removal of roles that may be in use. */
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
  accountLaw('remove deletes only the given role, and its key can be used again')
    .protects('An operator can correct a mistake in the list of roles.')
    .check(async (store, ann) => {
      const [editor, owner] = [await ensureRole(store, 'editor'), await ensureRole(store, 'owner')]
      assert.equal(await store.roles.remove(editor.key, NOW), 'removed')
      assert.deepEqual(await store.roles.list(), [owner])
      assert.equal(await store.roles.assign(ann.email, editor.key), 'unknown-role')
      const inserted = await store.accounts.insert({ ...aNewAccount('bob'), roles: [editor.key] })
      assert.deepEqual(inserted, { kind: 'unknown-role', role: editor.key })
      const again = { ...aRole('editor', 'Another'), uuid: aRole('other').uuid }
      assert.equal(await store.roles.insert(again), 'inserted')
      assert.equal(await store.roles.assign(ann.email, again.key), 'assigned')
      assert.deepEqual((await accountOf(store, ann.id)).roles, [again])
    }),
  law('remove changes nothing if the role is unknown')
    .protects('A mistyped role is reported, and nothing is deleted.')
    .check(async (store) => {
      const roles = [await ensureRole(store, 'editor'), await ensureRole(store, 'owner')]
      for (const key of ['Editor', 'edit', 'nothing', '%'])
        assert.equal(await store.roles.remove(key as RoleKey, NOW), 'unknown')
      assert.deepEqual(await store.roles.list(), roles)
    }),
  accountLaw('a role that an account holds is not removed')
    .protects('No user loses a role by mistake.')
    .check(async (store, ann) => {
      const [editor, owner] = [await giveRole(store, ann, 'editor'), await ensureRole(store, 'owner')]
      const bob = await addAccount(store, 'bob', { roles: [owner.key] })
      for (const { key } of [editor, owner, editor]) assert.equal(await store.roles.remove(key, NOW), 'held')
      assert.deepEqual(await store.roles.list(), [editor, owner])
      assert.deepEqual((await accountOf(store, ann.id)).roles, [editor])
      await store.roles.unassign(ann.email, editor.key)
      assert.equal(await store.roles.remove(editor.key, NOW), 'removed')
      await store.accounts.remove(bob.id)
      assert.equal(await store.roles.remove(owner.key, NOW), 'removed')
    }),
  keyLaw('a role is not removed while a valid API key has it, and revoked and expired keys lose it')
    .protects('No program loses a role by mistake, and an old key does not prevent the removal of a role.')
    .check(async (store) => {
      const [editor, owner] = [await ensureRole(store, 'editor'), await ensureRole(store, 'owner')]
      const key = (name: string) => aNewApiKey(name, [editor, owner])
      const endless = await store.apiKeys.insert(key('endless'))
      await store.apiKeys.insert({ ...key('ends'), expiresAt: NOW + SECOND })
      const remove = async (at: Instant) => await store.roles.remove(editor.key, at)
      assert.equal(await remove(NOW + SECOND), 'held')
      assert.ok(endless.kind === 'inserted')
      await store.apiKeys.revoke(endless.id, NOW)
      assert.equal(await remove(NOW + SECOND - 1), 'held')
      assert.deepEqual((await store.apiKeys.find(apiKeyDigestOf('ends'), NOW))?.roles, [editor, owner])
      assert.equal(await remove(NOW + SECOND), 'removed')
      assert.deepEqual((await store.apiKeys.find(apiKeyDigestOf('ends'), NOW))?.roles, [owner])
      const roles = (await store.apiKeys.page(undefined, 10)).map((one) => one.roles)
      assert.deepEqual([await store.roles.list(), ...roles], [[owner], [owner], [owner]])
    }),
  law('exactly one of 16 concurrent removals of the same role succeeds')
    .protects('If two operators delete a role, only one gets a success response.')
    .inRounds(async (store, round) => {
      const { key } = await ensureRole(store, `role${round}`)
      await assertRace({ removed: 1, unknown: 15 }, () => store.roles.remove(key, NOW))
    }),
  accountLaw('removing a role and concurrently assigning that role do not both succeed')
    .protects('No account has a role that does not exist.')
    .inRounds(async (store, round, ann) => {
      const { role, isThere } = await raceRemovals(store, round, async ({ key }) => {
        const answer = await store.roles.assign(ann.email, key)
        return answer === 'already-assigned' || answer === 'assigned' ? 'given' : (answer as 'unknown-role')
      })
      assert.deepEqual((await accountOf(store, ann.id)).roles, isThere ? [role] : [])
    }),
  law('removing a role and concurrently inserting an account with that role do not both succeed')
    .protects('No new account has a role that does not exist.')
    .inRounds(async (store, round) => {
      const { role, isThere } = await raceRemovals(store, round, async ({ key }, caller) => {
        const account = { ...aNewAccount(`${round} ${caller}`), roles: [key] }
        const { kind } = await store.accounts.insert(account)
        return kind === 'inserted' ? 'given' : (kind as 'unknown-role')
      })
      assert.equal(holdersOf(role, await store.accounts.page(undefined, 100)), isThere ? 8 : 0)
    }),
  keyLaw('removing a role and concurrently inserting an API key with that role do not both succeed')
    .protects('No new API key has a role that does not exist.')
    .inRounds(async (store, round) => {
      const { role, isThere } = await raceRemovals(store, round, async (wanted, caller) => {
        const { kind } = await store.apiKeys.insert(aNewApiKey(`${round} ${caller}`, [wanted]))
        return kind === 'inserted' ? 'given' : kind
      })
      assert.equal(holdersOf(role, await store.apiKeys.page(undefined, 100)), isThere ? 8 : 0)
    }),
]

/**
 * Runs removals of a role concurrently with assignments; in every second round, a removal starts first. Either the role is removed and
 * every other call reports it as unknown, or every assignment succeeds and every removal reports that the role is in use.
 */
async function raceRemovals(
  store: Store,
  round: number,
  give: (role: Role, caller: number) => Promise<'given' | 'unknown-role'>,
): Promise<{ readonly role: Role; readonly isThere: boolean }> {
  const role = await ensureRole(store, `role${round}`)
  const answers = await race<string>((caller) =>
    (caller + round) % 2 === 0 ? store.roles.remove(role.key, NOW) : give(role, caller),
  )
  const isThere = (await store.roles.list()).some(({ key }) => key === role.key)
  const expected = isThere ? { given: 8, held: 8 } : { 'unknown-role': 8, removed: 1, unknown: 7 }
  assert.deepEqual(tally(answers), expected)
  return { role, isThere }
}

function holdersOf({ key }: Role, rows: readonly { readonly roles: readonly Role[] }[]): number {
  return rows.filter(({ roles }) => roles.some((role) => role.key === key)).length
}
