import assert from 'node:assert/strict'
import type { ApiKeyCreator, ApiKeyDigest, ApiKeyId } from '../../domain/access/api-key.js'
import type { Instant } from '../../domain/instant.js'
import type { NewApiKey } from '../../ports/api-keys.js'
import type { Store } from '../../ports/store.js'
import { addAccount, ensureRole } from '../arrangements.js'
import { assertRace, eachInOrder, race, startTogether, lawOf, type Law } from '../law.js'
import { aNewApiKey, aRole, AWKWARD_STRINGS, apiKeyDigestOf, DAY, NOW, SECOND, UNKNOWN } from '../samples.js'
import { assertAscending } from '../walks.js'

const law = lawOf('apiKeys')
const NO_KEY = 4_000_000_001 as ApiKeyId

/** Contract tests for API keys. */
export const apiKeyLaws: readonly Law[] = [
  law('an API key is found by its digest, with its roles')
    .protects("A program gets exactly its key's permissions.")
    .check(async (store) => {
      const editor = await ensureRole(store, 'editor')
      await ensureRole(store, 'owner')
      const id = await addKey(store, aNewApiKey('build', [editor]))
      assert.ok(Number.isSafeInteger(id) && id > 0, 'the id is a positive integer')
      const key = await store.apiKeys.find(apiKeyDigestOf('build'), NOW)
      assert.deepEqual(key, { id, name: 'build', roles: [editor], createdAt: NOW })
    }),
  law('no API key is found by an unknown digest')
    .protects('A guessed key does not work, and keys are case-sensitive.')
    .check(async (store) => {
      await addKey(store, aNewApiKey('build'))
      for (const text of ['', '%', '$ne', '__proto__', apiKeyDigestOf('build').toUpperCase(), 'build'])
        assert.equal(await store.apiKeys.find(text as ApiKeyDigest, NOW), undefined, text)
    }),
  law('insert with an unknown role creates no API key')
    .protects('A key never has fewer roles than requested, and never gains roles later.')
    .check(async (store) => {
      const [editor, owner] = [aRole('editor'), aRole('owner')]
      await store.roles.insert(editor)
      const wanted = aNewApiKey('build', [editor, owner])
      assert.deepEqual(await store.apiKeys.insert(wanted), { kind: 'unknown-role', role: owner.key })
      assert.equal(await store.apiKeys.find(wanted.digest, NOW), undefined)
      await store.roles.insert(owner)
      assert.deepEqual(await store.apiKeys.page(undefined, 100), [])
      await addKey(store, wanted)
      const keys = (await store.apiKeys.page(undefined, 100)).map((key) =>
        key.roles.map((role) => role.key).sort(),
      )
      assert.deepEqual(keys, [['editor', 'owner']])
    }),
  law('an API key is found until it expires, and is listed with its expiry')
    .protects('A key expires on time, even if no operator remembers to revoke it.')
    .check(async (store) => {
      const key = { ...aNewApiKey('build'), expiresAt: NOW + SECOND }
      const id = await addKey(store, key)
      const other = await addKey(store, aNewApiKey('other'))
      const shown = { id, name: 'build', roles: [], createdAt: NOW, expiresAt: NOW + SECOND }
      const find = async (at: Instant) => await store.apiKeys.find(key.digest, at)
      assert.deepEqual(await find(NOW + SECOND - 1), shown)
      for (const at of [NOW + SECOND, NOW + DAY]) assert.equal(await find(at), undefined)
      assert.deepEqual(await find(NOW), shown, 'expiry is checked at each call')
      assert.equal((await store.apiKeys.find(apiKeyDigestOf('other'), NOW + 9_999 * DAY))?.id, other)
      assert.deepEqual((await store.apiKeys.page(undefined, 1))[0], shown)
      assert.equal(await store.apiKeys.revoke(id, NOW + DAY), 'revoked')
      assert.equal(await find(NOW), undefined)
    }),
  law('an API key is found only if the account that created it exists and is enabled')
    .protects("When a user leaves and the account is disabled or deleted, the user's API keys stop working.")
    .check(async (store) => {
      const creators = { ann: await addAccount(store, 'ann'), bob: await addAccount(store, 'bob') }
      for (const [name, { id }] of Object.entries(creators)) await addKey(store, aKeyBy(id, name))
      await addKey(store, aKeyBy('cli', 'operator'))
      await addKey(store, aKeyBy(UNKNOWN, 'stranger'))
      const found = async () =>
        await eachInOrder(['ann', 'bob', 'operator', 'stranger'], async (name) => {
          return (await store.apiKeys.find(apiKeyDigestOf(name), NOW))?.createdBy
        })
      const { ann, bob } = { ann: creators.ann.id, bob: creators.bob.id }
      assert.deepEqual(await found(), [ann, bob, 'cli', undefined])
      await store.accounts.setDisabled(ann, NOW)
      assert.deepEqual(await found(), [undefined, bob, 'cli', undefined])
      await store.accounts.remove(bob)
      assert.deepEqual(await found(), [undefined, undefined, 'cli', undefined])
      const listed = (await store.apiKeys.page(undefined, 10)).map(({ createdBy }) => createdBy)
      assert.deepEqual(listed, [ann, bob, 'cli', UNKNOWN])
    }),
  law('revokeAllOf revokes all API keys of one account and no others')
    .protects("A disabled account's keys stay invalid after the account is enabled again.")
    .check(async (store) => {
      const [ann, bob] = [await addAccount(store, 'ann'), await addAccount(store, 'bob')]
      const names = ['own', 'revoked', 'other', 'operator', 'old']
      const creators = [ann.id, ann.id, bob.id, 'cli', undefined] as const
      await eachInOrder(names, (name, at) => addKey(store, aKeyBy(creators[at], name)))
      const revoked = await store.apiKeys.find(apiKeyDigestOf('revoked'), NOW)
      await store.apiKeys.revoke(revoked?.id ?? NO_KEY, NOW)
      await store.accounts.setDisabled(ann.id, NOW)
      const revoke = (id: typeof ann.id) => () => store.apiKeys.revokeAllOf(id, NOW + SECOND)
      await startTogether([UNKNOWN, ann.id].map(revoke))
      await store.accounts.setDisabled(ann.id, undefined)
      const dates = (await store.apiKeys.page(undefined, 10)).map(({ revokedAt }) => revokedAt)
      assert.deepEqual(dates, [NOW + SECOND, NOW, undefined, undefined, undefined])
      const find = async (name: string) => (await store.apiKeys.find(apiKeyDigestOf(name), NOW)) && name
      assert.deepEqual(await eachInOrder(names, find), [undefined, undefined, 'other', 'operator', 'old'])
    }),
  law('the last use of an API key is stored, and an earlier use does not replace it')
    .protects('An operator sees which keys are no longer used.')
    .check(async (store) => {
      const [id, other] = [await addKey(store, aNewApiKey('build')), await addKey(store, aNewApiKey('other'))]
      const uses = async () => (await store.apiKeys.page(undefined, 10)).map((key) => key.lastUsedAt)
      await store.apiKeys.recordUse(id, NOW + SECOND)
      assert.deepEqual(await uses(), [NOW + SECOND, undefined])
      await store.apiKeys.recordUse(id, NOW)
      assert.deepEqual(await uses(), [NOW + SECOND, undefined])
      await race((caller) => store.apiKeys.recordUse(other, NOW + caller))
      assert.deepEqual(await uses(), [NOW + SECOND, NOW + 15])
      await store.apiKeys.recordUse(id, NOW + DAY)
      assert.equal((await store.apiKeys.find(apiKeyDigestOf('build'), NOW))?.lastUsedAt, NOW + DAY)
    }),
  law('recordUse with an unknown or revoked key has no effect and creates no key')
    .protects('Recording a use late does not restore a revoked key.')
    .check(async (store) => {
      await store.apiKeys.recordUse(NO_KEY, NOW)
      assert.deepEqual(await store.apiKeys.page(undefined, 10), [])
      const id = await addKey(store, aNewApiKey('build'))
      await store.apiKeys.revoke(id, NOW)
      await store.apiKeys.recordUse(id, NOW + SECOND)
      assert.equal(await store.apiKeys.find(apiKeyDigestOf('build'), NOW + SECOND), undefined)
    }),
  law('API keys are listed in the order of their IDs')
    .protects('An operator sees every key that was ever created.')
    .check(async (store) => {
      const names = ['zulu', 'alpha', 'mike']
      const ids = await eachInOrder(names, (name) => addKey(store, aNewApiKey(name)))
      const expected = names.map((name, index) => ({ id: ids[index], name, roles: [], createdAt: NOW }))
      assert.deepEqual(await store.apiKeys.page(undefined, 100), expected)
      assertAscending(ids)
      const [zulu, alpha, mike] = ids
      assert.deepEqual(await store.apiKeys.page(undefined, 2), expected.slice(0, 2))
      assert.deepEqual(await store.apiKeys.page(zulu, 1), expected.slice(1, 2))
      assert.deepEqual(await store.apiKeys.page(alpha, 10), expected.slice(2))
      assert.deepEqual(await store.apiKeys.page(mike, 10), [])
    }),
  law('16 concurrent inserts return 16 different API key IDs')
    .protects('Revoking one key never revokes another.')
    .check(async (store) => {
      const ids = await race((caller) => addKey(store, aNewApiKey(`key ${caller}`)))
      assert.equal(new Set(ids).size, 16)
      assert.equal((await store.apiKeys.page(undefined, 100)).length, 16)
    }),
  law('a revoked API key is no longer found but stays in the list')
    .protects('Revoking a leaked key takes effect immediately.')
    .check(async (store) => {
      const id = await addKey(store, aNewApiKey('build'))
      const other = await addKey(store, aNewApiKey('other'))
      assert.equal(await store.apiKeys.revoke(id, NOW + SECOND), 'revoked')
      assert.equal(await store.apiKeys.find(apiKeyDigestOf('build'), NOW), undefined)
      assert.equal((await store.apiKeys.find(apiKeyDigestOf('other'), NOW))?.id, other)
      const dates = (await store.apiKeys.page(undefined, 100)).map((key) => key.revokedAt)
      assert.deepEqual(dates, [NOW + SECOND, undefined])
      assert.equal(await store.apiKeys.revoke(id, NOW + 2 * SECOND), 'already-revoked')
      assert.equal(await store.apiKeys.revoke(NO_KEY, NOW), 'unknown')
    }),
  law('exactly one of 16 concurrent revocations of the same API key succeeds')
    .protects('The audit log shows which operator revoked the key and when.')
    .inRounds(async (store, round) => {
      const id = await addKey(store, aNewApiKey(`key ${round}`))
      const answers = await assertRace({ revoked: 1, 'already-revoked': 15 }, (caller) =>
        store.apiKeys.revoke(id, NOW + caller),
      )
      const key = (await store.apiKeys.page(undefined, 100)).find((one) => one.id === id)
      assert.equal(key?.revokedAt, NOW + answers.indexOf('revoked'))
    }),
  law('names of API keys are stored unchanged')
    .protects('Text is stored unchanged and never executed as a command.')
    .check(async (store) => {
      for (const text of AWKWARD_STRINGS) await addKey(store, aNewApiKey(text))
      const names = (await store.apiKeys.page(undefined, 100)).map((key) => key.name)
      assert.deepEqual(names, AWKWARD_STRINGS)
    }),
]

function aKeyBy(createdBy: ApiKeyCreator | undefined, name: string): NewApiKey {
  return { ...aNewApiKey(name), ...(createdBy !== undefined && { createdBy }) }
}

async function addKey(store: Store, key: NewApiKey): Promise<ApiKeyId> {
  const answer = await store.apiKeys.insert(key)
  assert.ok(answer.kind === 'inserted', 'a key with known roles is inserted')
  return answer.id
}
