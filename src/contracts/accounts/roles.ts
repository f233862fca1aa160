import assert from 'node:assert/strict'
import type { RoleKey } from '../../domain/access/role.js'
import { accountOf, enrol, establish, logIn } from '../arrangements.js'
import { inRounds, race, tally, tallyKinds } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { aNewAccount, emailOf, hashOf, NOW } from '../samples.js'

const law = lawOf('accounts')
const UNUSED = 'unused' as RoleKey

/** What an insert does with the roles that come with the account. */
export const accountRoleLaws: readonly Law[] = [
  law('insert with roles gives them, to that account only')
    .protects('A user who is registered as an editor can edit from the first login on.')
    .check(async (store) => {
      const [writer, editor] = [await establish(store, 'writer'), await establish(store, 'editor')]
      await establish(store, 'owner')
      const bob = await enrol(store, 'bob')
      const draft = aNewAccount('ann')
      const answer = await store.accounts.insert({ ...draft, roles: [writer.key, editor.key] })
      assert.ok(answer.kind === 'inserted')
      const expected = { ...draft, id: answer.id, epoch: 1, roles: [editor, writer] }
      assert.deepEqual(await store.accounts.find(answer.id), expected)
      assert.deepEqual(await store.accounts.findByEmail(draft.email), expected)
      assert.deepEqual(await store.accounts.page(bob.id, 10), [expected])
      const session = await logIn(store, await accountOf(store, answer.id))
      assert.deepEqual((await store.sessions.findById(session.id, NOW))?.account, expected)
      assert.deepEqual(await accountOf(store, bob.id), bob)
    }),
  law('insert with no roles in the list gives none')
    .protects('No account starts with a right.')
    .check(async (store) => {
      await establish(store, 'editor')
      await store.accounts.insert({ ...aNewAccount('ann'), roles: [] })
      assert.deepEqual((await store.accounts.findByEmail(emailOf('ann')))?.roles, [])
    }),
  law('a role that is asked for twice on insert is one membership')
    .protects('A role that is taken away is gone, however often it was given.')
    .check(async (store) => {
      const [editor, writer] = [await establish(store, 'editor'), await establish(store, 'writer')]
      const roles = [editor.key, writer.key, editor.key]
      await store.accounts.insert({ ...aNewAccount('ann'), roles })
      const email = emailOf('ann')
      assert.deepEqual((await store.accounts.findByEmail(email))?.roles, [editor, writer])
      assert.equal(await store.roles.assign(email, editor.key), 'already-assigned')
      assert.equal(await store.roles.unassign(email, editor.key), 'unassigned')
      assert.deepEqual((await store.accounts.findByEmail(email))?.roles, [writer])
    }),
  law('insert with an unknown role makes nothing and leaves the email free')
    .protects('A mistyped role leaves no account behind that has too few rights.')
    .check(async (store) => {
      const { key } = await establish(store, 'editor')
      const lists = [[UNUSED], [UNUSED, key], [key, UNUSED], [key, UNUSED, key]]
      for (const roles of lists) {
        const answer = await store.accounts.insert({ ...aNewAccount('ann'), roles })
        assert.deepEqual(answer, { kind: 'unknown-role', role: UNUSED })
        assert.equal(await store.accounts.findByEmail(emailOf('ann')), undefined)
        assert.deepEqual(await store.accounts.page(undefined, 10), [])
      }
      assert.equal((await store.roles.list()).length, 1, 'no role is made')
      assert.deepEqual((await enrol(store)).roles, [], 'what was asked for before is forgotten')
    }),
  law('a role of another case is unknown on insert')
    .protects('A role that only looks like a known one gives no right.')
    .check(async (store) => {
      await establish(store, 'editor')
      const role = 'Editor' as RoleKey
      const answer = await store.accounts.insert({ ...aNewAccount('ann'), roles: [role] })
      assert.deepEqual(answer, { kind: 'unknown-role', role })
    }),
  law('an insert of a taken email is refused and changes nothing, whatever its roles are')
    .protects('Registering again gives no right, and a list with known people can be read in again.')
    .check(async (store) => {
      const [editor, admin] = [await establish(store, 'editor'), await establish(store, 'admin')]
      await store.accounts.insert({ ...aNewAccount('ann'), roles: [editor.key] })
      const before = await store.accounts.findByEmail(emailOf('ann'))
      for (const roles of [[admin.key], [], [UNUSED], [admin.key, UNUSED]]) {
        const again = { ...aNewAccount('ann'), passwordHash: hashOf('mallory'), roles }
        assert.deepEqual(await store.accounts.insert(again), { kind: 'duplicate-email' })
        assert.deepEqual(await store.accounts.findByEmail(emailOf('ann')), before)
      }
      assert.deepEqual(before?.roles, [editor])
      assert.equal((await store.accounts.page(undefined, 10)).length, 1)
    }),
  law('of 16 inserts of one email with different roles at once exactly one is inserted, with its own roles')
    .protects('No account gets the rights of another request.')
    .check(async (store) => {
      const roles = await Promise.all(
        Array.from({ length: 16 }, (_, caller) => establish(store, `role-${caller}`)),
      )
      await inRounds(async (round) => {
        const answers = await race((caller) =>
          store.accounts.insert({
            ...aNewAccount(`ann${round}`),
            roles: roles.slice(caller, caller + 1).map((role) => role.key),
          }),
        )
        assert.deepEqual(tallyKinds(answers), { inserted: 1, 'duplicate-email': 15 })
        const winner = answers.findIndex((answer) => answer.kind === 'inserted')
        const account = await store.accounts.findByEmail(emailOf(`ann${round}`))
        assert.deepEqual(account?.roles, roles.slice(winner, winner + 1))
      })
    }),
  law('an insert with an unknown role is never in the way of another of its email')
    .protects('What is refused was not there for a moment either.')
    .check(async (store) => {
      const { key } = await establish(store, 'editor')
      await inRounds(async (round) => {
        const answers = await race((caller) =>
          store.accounts.insert({
            ...aNewAccount(`ann${round}`),
            roles: caller % 2 === 0 ? [UNUSED] : [key],
          }),
        )
        const wanted = answers.filter((_, caller) => caller % 2 === 1)
        assert.deepEqual(tallyKinds(wanted), { inserted: 1, 'duplicate-email': 7 })
        const refused = answers.filter((_, caller) => caller % 2 === 0).map((answer) => answer.kind)
        assert.deepEqual(Object.keys(tally(refused)).filter(isNoRefusal), [])
      })
    }),
]

/** Either refusal is true of an unknown role for an email that another is about to take. */
function isNoRefusal(kind: string): boolean {
  return kind !== 'unknown-role' && kind !== 'duplicate-email'
}
