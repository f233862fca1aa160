import assert from 'node:assert/strict'
import type { Role, RoleKey } from '../../domain/access/role.js'
import type { Instant } from '../../domain/instant.js'
import type { Store } from '../../ports/store.js'
import { accountOf, addAccount, ensureRole, giveRole } from '../arrangements.js'
import { assertRace, race, tally } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { aNewAccount, aNewApiKey, apiKeyDigestOf, aRole, NOW, SECOND } from '../samples.js'

const law = lawOf('roles')
const accountLaw = lawOf('roles', addAccount)
const keyLaw = lawOf('apiKeys')

/**
 * Runs removals of a role concurrently with assignments; in every second round, a removal starts first. Either the
 * role is
 * removed and every other call reports it as unknown, or every assignment succeeds and every removal reports that
 * the role is in use.
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

const raceLaws: readonly Law[] = [
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

/** Contract tests for the removal of roles that may be in use. */
export const roleRemovalLaws: readonly Law[] = [
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
  ...raceLaws,
]
