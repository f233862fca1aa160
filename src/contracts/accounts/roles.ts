import assert from 'node:assert/strict'
import type { RoleKey } from '../../domain/access/role.js'
import type { Email } from '../../domain/identity/email.js'
import type { NewAccount } from '../../ports/accounts.js'
import { accountOf, assertAccount, addAccount, ensureRole, logIn } from '../arrangements.js'
import { assertRace, inRounds, eachInOrder, numbersBelow, race, tally, lawOf, type Law } from '../law.js'
import { emailOf, hashOf, NOW, aNewAccount } from '../samples.js'

const law = lawOf('accounts')
const UNUSED = 'unused' as RoleKey

/** Contract tests for `Accounts.insert` with roles. */
export const accountRoleLaws: readonly Law[] = [
  law('insert with roles assigns the roles to the new account only')
    .protects('A user who is registered as an editor can edit from the first login, and no other user can.')
    .check(async (store) => {
      const [writer, editor] = [await ensureRole(store, 'writer'), await ensureRole(store, 'editor')]
      await ensureRole(store, 'owner')
      const [bob, cid] = [await addAccount(store, 'bob'), await addAccount(store, 'cid', { roles: [] })]
      const ann = await addAccount(store, 'ann', { roles: [writer.key, editor.key] })
      assert.deepEqual(ann, { ...aNewAccount('ann'), id: ann.id, epoch: 1, roles: [editor, writer] })
      await assertAccount(store, ann)
      const session = await logIn(store, ann)
      assert.deepEqual((await store.sessions.findById(session.id, NOW))?.account, ann)
      for (const other of [bob, cid])
        assert.deepEqual(await accountOf(store, other.id), { ...other, roles: [] })
    }),
  law('insert assigns a role only once even if the role is listed twice')
    .protects('Unassigning the role once removes it completely.')
    .check(async (store) => {
      const [editor, writer] = [await ensureRole(store, 'editor'), await ensureRole(store, 'writer')]
      const { email, roles } = await addAccount(store, 'ann', { roles: [editor.key, writer.key, editor.key] })
      assert.deepEqual(roles, [editor, writer])
      assert.equal(await store.roles.assign(email, editor.key), 'already-assigned')
      assert.equal(await store.roles.unassign(email, editor.key), 'unassigned')
      assert.deepEqual((await store.accounts.findByEmail(email))?.roles, [writer])
    }),
  law('insert with an unknown role creates no account and leaves the email available')
    .protects('A mistyped role does not leave an account with too few permissions.')
    .check(async (store) => {
      const { key } = await ensureRole(store, 'editor')
      const capital = 'Editor' as RoleKey
      const lists = [[UNUSED], [UNUSED, key], [key, UNUSED], [key, UNUSED, key], [capital]]
      for (const roles of lists) {
        const answer = await store.accounts.insert({ ...aNewAccount('ann'), roles })
        const role = roles.includes(UNUSED) ? UNUSED : capital
        assert.deepEqual(answer, { kind: 'unknown-role', role })
        assert.equal(await store.accounts.findByEmail(emailOf('ann')), undefined)
        assert.deepEqual(await store.accounts.page(undefined, 10), [])
      }
      assert.equal((await store.roles.list()).length, 1, 'no role is created')
      assert.deepEqual((await addAccount(store)).roles, [], 'the rejected insert has assigned no role')
    }),
  law('insert rejects any spelling of an email in use, regardless of the roles, and changes nothing')
    .protects('Registering again does not take over an account or add a role.')
    .check(async (store) => {
      const [editor, admin] = [await ensureRole(store, 'editor'), await ensureRole(store, 'admin')]
      const before = await addAccount(store, 'ann', { roles: [editor.key] })
      const lists = [[admin.key], [], [UNUSED], [admin.key, UNUSED]]
      const changes: readonly Partial<NewAccount>[] = [
        {},
        { enteredEmail: 'Ann@Example.ORG' as Email },
        ...lists.map((roles) => ({ roles })),
      ]
      for (const change of changes) {
        const again = { ...aNewAccount('ann'), passwordHash: hashOf('mallory'), ...change }
        assert.deepEqual(await store.accounts.insert(again), { kind: 'duplicate-email' })
        assert.deepEqual(await store.accounts.findByEmail(emailOf('ann')), before)
      }
      assert.deepEqual(before.roles, [editor])
      assert.equal((await store.accounts.page(undefined, 10)).length, 1)
    }),
  law(
    'exactly one of 16 concurrent inserts of the same email succeeds, with the roles of the successful insert',
  )
    .protects('No account gets roles from another request.')
    .check(async (store) => {
      const roles = await eachInOrder(numbersBelow(16), (caller) => ensureRole(store, `role-${caller}`))
      const keys = roles.map(({ key }) => key)
      await inRounds(async (round) => {
        const answers = await assertRace({ inserted: 1, 'duplicate-email': 15 }, (caller) =>
          store.accounts.insert({ ...aNewAccount(`ann${round}`), roles: keys.slice(caller, caller + 1) }),
        )
        const winner = answers.findIndex((answer) => answer.kind === 'inserted')
        const account = await store.accounts.findByEmail(emailOf(`ann${round}`))
        assert.deepEqual(account?.roles, roles.slice(winner, winner + 1))
      })
    }),
  law('an insert with an unknown role does not block a concurrent insert of the same email')
    .protects('A rejected account does not exist even for a moment.')
    .check(async (store) => {
      const { key } = await ensureRole(store, 'editor')
      await inRounds(async (round) => {
        const answers = await race((caller) =>
          store.accounts.insert({ ...aNewAccount(`ann${round}`), roles: [caller % 2 === 0 ? UNUSED : key] }),
        )
        const wanted = answers.filter((_, caller) => caller % 2 === 1)
        assert.deepEqual(tally(wanted), { inserted: 1, 'duplicate-email': 7 })
        const refused = tally(answers.filter((_, caller) => caller % 2 === 0))
        // If the role is unknown and the email is taken, either error is correct.
        assert.equal((refused['unknown-role'] ?? 0) + (refused['duplicate-email'] ?? 0), 8)
      })
    }),
]
