import assert from 'node:assert/strict'
import type { RoleKey } from '../../domain/access/role.js'
import { RECORD_KINDS } from '../../ports/copyable-records.js'
import { accountOf, addPasskeys, addPet, addAccount, giveRole, logIn } from '../arrangements.js'
import { assertRace, race, lawOf, type Law } from '../law.js'
import { rotate } from '../logins.js'
import { aNewApiKey, anIdempotency, aPet, apiKeyDigestOf, aRole, emailOf, NOW, SECOND } from '../samples.js'
import { assertUnavailable } from '../store/store.js'
import { afterCopyingLaws } from './after-copying.js'
import { contentOf, fill, inPagesOf, recordsOf, takeAwayAndPutAgain, writesTo } from './arrangements.js'

const law = lawOf('copyableRecords')
const recordsLaw = lawOf('copyableRecords', async (store) => recordsOf(store))
const filledLaw = lawOf('copyableRecords', async (store) => {
  await fill(store)
  return recordsOf(store)
})
const SOON = NOW + 2 * SECOND
const SOURCE = 'a different source store'

/** Contract tests for the optional port `CopyableRecords`, for stores whose content can be copied. Each law needs a fresh, empty store. */
export const copyableRecordLaws: readonly Law[] = [
  filledLaw('records of every kind are read exactly as put wrote them, and put can be repeated')
    .protects('A copy is complete, and a repeated copy duplicates nothing.')
    .check(async (_, records) => {
      const before = await contentOf(records)
      for (const kind of RECORD_KINDS) assert.ok(before.get(kind)?.length, `there are records of ${kind}`)
      for (const kind of RECORD_KINDS) await records.put(kind, (before.get(kind) ?? []) as never)
      assert.deepEqual(await contentOf(records), before)
    }),
  filledLaw('all records can be removed, the last kind first, and a second removal has no effect')
    .protects('A repeated copy does not restore data that the source has deleted.')
    .check(async (store, records) => {
      for (const kind of RECORD_KINDS.toReversed()) {
        const [first, ...rest] = await records.page(kind, undefined, 1_000)
        assert.ok(first, `there are records of ${kind}`)
        for (const _ of ['once', 'twice']) await records.remove(kind, [first])
        assert.deepEqual(await records.page(kind, undefined, 1_000), rest, kind)
        await records.remove(kind, rest)
        assert.equal(await records.count(kind), 0, kind)
      }
      assert.equal((await addAccount(store)).id, 1)
    }),
  recordsLaw('every other port works with copied records')
    .protects(
      'After a copy, users are still logged in, keys are valid, and a repeated request creates no second pet.',
    )
    .check(async (store, records) => {
      const ann = await addAccount(store)
      await giveRole(store, ann, 'editor')
      const session = await rotate(store, await logIn(store, await accountOf(store, ann.id)))
      await store.apiKeys.insert(aNewApiKey('key', [aRole('editor')]))
      const idempotency = anIdempotency()
      const pet = await store.pets.insert(aPet('Rex'), idempotency)
      const reads = async () => [
        await store.accounts.findByEmail(ann.email),
        await store.sessions.find(session.current.keyDigest, SOON),
        await store.sessions.find(session.previous?.keyDigest ?? assert.fail(), SOON),
        await store.apiKeys.find(apiKeyDigestOf('key'), SOON),
        await store.roles.list(),
      ]
      const before = await reads()
      await takeAwayAndPutAgain(records)
      assert.deepEqual(await reads(), before)
      assert.deepEqual(await store.pets.insert(aPet('Rex'), idempotency), { ...pet, kind: 'repeated' })
      assert.equal(await store.sessions.purge(session.current.idleEndsAt - 1, 10), 0)
      assert.equal(await store.sessions.purge(session.current.idleEndsAt, 10), 1)
    }),
  recordsLaw('a removed pet stays removed after a copy, and its ID and idempotency key cannot be used again')
    .protects('A repeated request after a copy does not restore a removed pet.')
    .check(async (store, records) => {
      const idempotency = anIdempotency()
      const removed = await store.pets.insert(aPet('Rex'), idempotency)
      assert.ok(removed.kind === 'inserted')
      assert.equal(await store.pets.remove(removed.id), 'removed')
      await takeAwayAndPutAgain(records)
      assert.equal(await store.pets.find(removed.id), undefined)
      assert.equal(await records.count('pet'), 0)
      assert.deepEqual(await store.pets.insert(aPet('Rex'), idempotency), { ...removed, kind: 'repeated' })
      assert.ok((await addPet(store, aPet('Mia'))) > removed.id)
    }),
  recordsLaw('put reports a record that conflicts with another record')
    .protects('A source that changes during a copy is detected and causes no internal error.')
    .check(async (store, records) => {
      const ann = await addAccount(store, 'ann')
      const account = { ...ann, roles: [] }
      assert.equal(await records.put('account', [account]), 'put')
      const second = { ...account, id: (ann.id + 1) as typeof ann.id }
      assert.equal(await records.put('account', [second]), 'contradicted')
      const [passkey] = await addPasskeys(store, ann, 1)
      const other = { ...second, email: emailOf('other'), passkeys: [passkey ?? assert.fail()] }
      assert.equal(await records.put('account', [other]), 'contradicted')
      const unheardOf = { ...account, roles: ['unheard-of' as RoleKey] }
      assert.equal(await records.put('account', [unheardOf]), 'contradicted')
    }),
  law('every call after close reports that the store is unavailable')
    .protects('A copy from a closed store fails with a clear error.')
    .check(async (store) => {
      await store.close()
      await assertUnavailable(store, (name) => name.startsWith('copyableRecords.'))
    }),
  filledLaw('pages start after the given record and list all records in a stable order')
    .protects('A copy misses no account, even with small pages.')
    .check(async (_, records) => {
      for (const kind of RECORD_KINDS) {
        const whole = await records.page(kind, undefined, 1_000)
        assert.equal(await records.count(kind), whole.length, kind)
        assert.deepEqual(await inPagesOf(records, kind, 1), whole, kind)
      }
    }),
  recordsLaw('IDs continue after the highest ID ever used, and a counter never decreases')
    .protects('A token of an account that was deleted before the copy never identifies another account.')
    .check(async (store, records) => {
      for (const last of [41, 7]) await records.put('counter', [{ name: 'accounts', last }])
      assert.deepEqual(await records.page('counter', undefined, 10), [{ name: 'accounts', last: 41 }])
      assert.equal((await addAccount(store)).id, 42)
    }),
  filledLaw('the change token changes with every write and at no other time')
    .protects('A source that changes during a copy is detected.')
    .check(async (store, records) => {
      await records.identity()
      const seen = [await records.changeToken()]
      await contentOf(records)
      await records.identity()
      assert.equal(await records.changeToken(), seen[0], 'reads do not change the token')
      for (const [name, write] of Object.entries(writesTo(store))) {
        await write()
        const token = await records.changeToken()
        assert.ok(!seen.includes(token), `the token changes with ${name}`)
        seen.push(token)
      }
    }),
  recordsLaw('a store has exactly one identity, which never changes')
    .protects('A copy has its own identity, which never changes.')
    .check(async (_, records) => {
      const identities = await race(() => records.identity())
      assert.equal(new Set(identities).size, 1)
      assert.notEqual(identities[0], '')
      assert.equal(await records.claim(identities[0] ?? ''), 'same')
    }),
  recordsLaw('an empty store can be claimed once, and only the same source can claim it again')
    .protects('Two copies cannot be mixed, and an interrupted copy can resume.')
    .check(async (store, records) => {
      await assertRace({ begun: 1, resumed: 15 }, () => records.claim(SOURCE))
      await fill(store)
      assert.equal(await records.claim(SOURCE), 'resumed')
      assert.equal(await records.claim('another source'), 'occupied')
      await records.complete(SOURCE)
      assert.equal(await records.claim(SOURCE), 'complete')
    }),
  law('a store that contains data cannot be claimed')
    .protects('A copy never overwrites existing accounts.')
    .check(async (store) => {
      await addAccount(store)
      assert.equal(await recordsOf(store).claim(SOURCE), 'occupied')
      assert.equal(await recordsOf(store).claim(SOURCE), 'occupied')
    }),
  ...afterCopyingLaws,
]
