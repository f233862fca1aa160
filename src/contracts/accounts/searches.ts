import assert from 'node:assert/strict'
import type { Role } from '../../domain/access/role.js'
import type { Account } from '../../domain/identity/account.js'
import type { Email, EmailStart } from '../../domain/identity/email.js'
import type { AccountSearch } from '../../ports/accounts.js'
import type { Store } from '../../ports/store.js'
import { accountOf, addAccount, assertAccount, ensureRole, giveRole } from '../arrangements.js'
import { lawOf, type Law } from '../law.js'
import { aNewAccount, AWKWARD_STRINGS, emailOf, NOW, SECOND } from '../samples.js'

const law = lawOf('accounts')
const NAMES = ['eve', 'ann', 'dan', 'bob', 'anna', 'cid']

/** Contract tests for `Accounts.search`. */
export const accountSearchLaws: readonly Law[] = [
  law('search finds accounts by the prefix of their email, sorted by email')
    .protects('An operator can find one account among a million by a prefix of its email.')
    .check(async (store) => {
      for (const name of NAMES) await addAccount(store, name)
      const beginning = async (start: string) => await namesOf(store, { start: start as EmailStart })
      assert.deepEqual(await namesOf(store, {}), ['ann', 'anna', 'bob', 'cid', 'dan', 'eve'])
      assert.deepEqual(await beginning('an'), ['ann', 'anna'])
      assert.deepEqual(await beginning('ann@'), ['ann'])
      assert.deepEqual(await beginning(emailOf('anna')), ['anna'], 'the whole email')
      for (const start of 'nn AN example.org ann@example.orgs x % _nn a. a* ^a ['.split(' '))
        assert.deepEqual(await beginning(start), [], start)
    }),
  law('search returns accounts exactly as other reads do')
    .protects('A search returns the same data about an account as every other read.')
    .check(async (store) => {
      const ann = await addAccount(store, 'ann')
      await giveRole(store, ann, 'writer')
      const role = await giveRole(store, ann, 'editor')
      await store.accounts.setDisabled(ann.id, NOW)
      const expected = [await accountOf(store, ann.id)]
      for (const search of searchesFor(role))
        assert.deepEqual(await store.accounts.search({ ...search, limit: 10 }), expected)
    }),
  law('search by role finds the accounts that currently have the role')
    .protects('An operator finds exactly the accounts that have a role.')
    .check(async (store) => {
      const ann = await addAccount(store, 'ann')
      const bob = await addAccount(store, 'bob')
      const cid = await addAccount(store, 'cid')
      const editor = await giveRole(store, bob, 'editor')
      await giveRole(store, ann, 'editor')
      await giveRole(store, ann, 'edit')
      await giveRole(store, cid, 'owner')
      await store.accounts.insert({ ...aNewAccount('dan'), roles: [editor.key] })
      const members = async () => await namesOf(store, { role: editor.key })
      assert.deepEqual(await members(), ['ann', 'bob', 'dan'])
      await store.roles.unassign(ann.email, editor.key)
      assert.deepEqual(await members(), ['bob', 'dan'])
      await store.accounts.remove(bob.id)
      assert.deepEqual(await members(), ['dan'])
      assert.deepEqual(await namesOf(store, { role: (await ensureRole(store, 'none')).key }), [])
    }),
  law('insert with `disabledAt` creates a disabled account')
    .protects('An account that was disabled in another system is never enabled during its import.')
    .check(async (store) => {
      const role = await ensureRole(store, 'editor')
      await addAccount(store, 'bob', { roles: [role.key] })
      const ann = await addAccount(store, 'ann', { roles: [role.key], disabledAt: NOW - SECOND })
      const disabled = { ...aNewAccount('ann'), disabledAt: NOW - SECOND }
      assert.deepEqual(ann, { ...disabled, id: ann.id, epoch: 1, roles: [role] })
      await assertAccount(store, ann)
      for (const search of [{}, { role: role.key }])
        assert.deepEqual(await namesOf(store, { ...search, onlyDisabled: true }), ['ann'])
      assert.equal(await store.accounts.setDisabled(ann.id, undefined, NOW - SECOND), 'set')
      assert.deepEqual(await namesOf(store, { onlyDisabled: true }), [])
    }),
  law('search for disabled accounts finds exactly the accounts that are currently disabled')
    .protects('Operators can find every disabled account.')
    .check(async (store) => {
      const [ann, bob] = [await addAccount(store, 'ann'), await addAccount(store, 'bob')]
      const disabled = async () => await namesOf(store, { onlyDisabled: true })
      assert.deepEqual(await disabled(), [])
      for (const { id } of [bob, ann]) await store.accounts.setDisabled(id, NOW)
      assert.deepEqual(await disabled(), ['ann', 'bob'])
      await store.accounts.setDisabled(ann.id, undefined)
      assert.deepEqual(await disabled(), ['bob'])
      assert.deepEqual(await namesOf(store, { onlyDisabled: false }), ['ann', 'bob'])
      await store.accounts.remove(bob.id)
      assert.deepEqual(await disabled(), [])
    }),
  law('search combines its filters with AND, regardless of the order in which the accounts were changed')
    .protects('Each additional filter narrows the result.')
    .check(async (store) => {
      const role = await ensureRole(store, 'editor')
      const all = await insertMixed(store, role)
      const start = 'an' as EmailStart
      assert.deepEqual(await namesOf(store, { role: role.key, onlyDisabled: true }), ['ann', 'anna', 'bob'])
      assert.deepEqual(await namesOf(store, { role: role.key, start }), ['ann', 'anna'])
      assert.deepEqual(await namesOf(store, { start, onlyDisabled: true }), ['ann', 'anna'])
      await store.accounts.setDisabled((all.get('ann') as Account).id, undefined)
      await store.roles.unassign(emailOf('bob'), role.key)
      const together = { start, role: role.key, onlyDisabled: true }
      assert.deepEqual(await namesOf(store, together), ['anna'])
      assert.deepEqual(await namesOf(store, { role: role.key, onlyDisabled: true }), ['anna'])
      assert.deepEqual(await namesOf(store, { role: role.key }), ['ann', 'anna', 'eve'])
      assert.deepEqual(await namesOf(store, { ...together, after: emailOf('anna') }), [])
    }),
  law('a search page can start after any email, even after the email of a removed account')
    .protects('Reading a long list page by page shows each account once.')
    .check(async (store) => {
      const role = await ensureRole(store, 'editor')
      for (const name of NAMES) {
        const { id, email } = await addAccount(store, name)
        await store.roles.assign(email, role.key)
        await store.accounts.setDisabled(id, NOW)
      }
      for (const search of searchesFor(role)) {
        const page = async (limit: number, after: string) =>
          await namesOf(store, { ...search, after: after as Email }, limit)
        assert.deepEqual(await namesOf(store, search, 2), ['ann', 'anna'])
        assert.deepEqual(await page(2, emailOf('anna')), ['bob', 'cid'])
        assert.deepEqual(await page(10, emailOf('cid')), ['dan', 'eve'])
        assert.deepEqual(await page(10, emailOf('eve')), [])
        assert.deepEqual(await page(2, emailOf('bertha')), ['bob', 'cid'], 'after an unknown email')
        const beginning = { ...search, start: 'b' as EmailStart }
        assert.deepEqual(await namesOf(store, { ...beginning, after: 'a' as Email }), ['bob'])
        assert.deepEqual(await namesOf(store, { ...beginning, after: 'z' as Email }), [])
      }
    }),
  law('search finds emails with any characters, and its pages list each email once')
    .protects('Every account can be found, regardless of the letters in its email.')
    .check(async (store) => {
      for (const text of AWKWARD_STRINGS) await store.accounts.insert(aNewAccount(text))
      for (const text of AWKWARD_STRINGS) {
        const found = await namesOf(store, { start: `${text}@` as EmailStart })
        assert.deepEqual(found, [text], text)
      }
      const seen: Email[] = []
      const nextPage = async () => {
        const after = seen.at(-1)
        return await store.accounts.search({ limit: 3, ...(after !== undefined && { after }) })
      }
      for (let page = await nextPage(); page.length > 0; page = await nextPage()) {
        seen.push(...page.map(({ email }) => email))
        assert.ok(seen.length <= AWKWARD_STRINGS.length, 'the last page was never reached')
      }
      assert.deepEqual(seen.sort(), AWKWARD_STRINGS.map(emailOf).sort())
    }),
]

function searchesFor({ key: role }: Role): readonly Omit<AccountSearch, 'limit'>[] {
  return [{}, { role }, { onlyDisabled: true }, { role, onlyDisabled: true }]
}

async function namesOf(store: Store, search: Omit<AccountSearch, 'limit'>, limit = 100) {
  const found = await store.accounts.search({ ...search, limit })
  return found.map(({ email }) => email.slice(0, email.indexOf('@')))
}

/** Inserts an account for each name: some get the role, some are disabled, and some get both, in either order. */
async function insertMixed(store: Store, role: Role): Promise<ReadonlyMap<string, Account>> {
  const all = new Map<string, Account>()
  for (const name of NAMES) all.set(name, await addAccount(store, name))
  const assign = async (name: string) => await store.roles.assign(emailOf(name), role.key)
  for (const name of ['ann', 'bob', 'eve']) await assign(name)
  for (const name of ['ann', 'bob', 'anna'])
    await store.accounts.setDisabled((all.get(name) as Account).id, NOW)
  await assign('anna')
  return all
}
