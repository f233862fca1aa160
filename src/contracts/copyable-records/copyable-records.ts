import assert from 'node:assert/strict'
import type { RoleKey } from '../../domain/access/role.js'
import { isRefusal } from '../../domain/refusal.js'
import { RECORD_KINDS } from '../../ports/copyable-records.js'
import { accountOf, addPet, enrol, giveRole, logIn } from '../arrangements.js'
import { rotate } from '../active-sessions.js'
import { race, tally } from '../barrier.js'
import { lawOf, type Law } from '../law.js'
import { afterCopyingLaws } from './after-copying.js'
import { contentOf, fill, inPagesOf, recordsOf, takeAwayAndPutAgain, writesTo } from './arrangements.js'
import {
  aNewApiKey,
  anIdempotency,
  aPet,
  apiKeyDigestOf,
  aRole,
  keyDigestOf,
  NOW,
  SECOND,
} from '../samples.js'

const law = lawOf('copyableRecords')
const SOON = NOW + 2 * SECOND
const SOURCE = 'a source of another store'

/**
 * The laws of the optional port `CopyableRecords`, for a store whose content can be copied. Each wants a
 * fresh, empty store that offers it.
 */
export const copyableRecordLaws: readonly Law[] = [
  law('what is put is what is read, of every kind, and what was read can be put again')
    .protects('A copy has everything, and running it again doubles nothing.')
    .check(async (store) => {
      const records = recordsOf(store)
      await fill(store)
      const before = await contentOf(records)
      for (const kind of RECORD_KINDS) assert.ok(before.get(kind)?.length, `there are records of ${kind}`)
      for (const kind of RECORD_KINDS) await records.put(kind, (before.get(kind) ?? []) as never)
      assert.deepEqual(await contentOf(records), before)
    }),
  law('what is removed is gone, in the order opposite to putting it, and twice is harmless')
    .protects('A copy that is made anew brings back nothing that the source has lost.')
    .check(async (store) => {
      const records = recordsOf(store)
      await fill(store)
      for (const kind of RECORD_KINDS.toReversed()) {
        const [first, ...rest] = await records.page(kind, undefined, 1_000)
        assert.ok(first, `there are records of ${kind}`)
        for (const _ of ['once', 'twice']) await records.remove(kind, [first])
        assert.deepEqual(await records.page(kind, undefined, 1_000), rest, kind)
        await records.remove(kind, rest)
        assert.equal(await records.count(kind), 0, kind)
      }
      assert.equal((await enrol(store)).id, 1)
    }),
  law('what was put serves every other port as before')
    .protects('After a copy users are logged in, keys are valid, and a repeated request makes no pet.')
    .check(async (store) => {
      const records = recordsOf(store)
      const ann = await enrol(store)
      await giveRole(store, ann, 'editor')
      const session = await rotate(store, await logIn(store, await accountOf(store, ann.id)))
      await store.apiKeys.insert(aNewApiKey('key', [aRole('editor')]))
      const idempotency = anIdempotency()
      const pet = await store.pets.insert(aPet('Rex'), idempotency)
      const reads = async () => [
        await store.accounts.findByEmail(ann.email),
        await store.sessions.find(session.current.keyDigest, SOON),
        await store.sessions.find(keyDigestOf('login 1'), SOON),
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
  law('a pet that was removed before stays so, and neither its id nor its idempotency key is free')
    .protects('A copy brings nothing back, not even by a repeated request.')
    .check(async (store) => {
      const records = recordsOf(store)
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
  law('a record that contradicts another is told')
    .protects('A source that is written to while it is copied is noticed, not an error of ours.')
    .check(async (store) => {
      const records = recordsOf(store)
      const ann = await enrol(store, 'ann')
      const account = { ...ann, roles: [] }
      assert.equal(await records.put('account', [account]), 'put')
      const second = { ...account, id: (ann.id + 1) as typeof ann.id }
      assert.equal(await records.put('account', [second]), 'contradicted')
      const unheardOf = { ...account, roles: ['unheard-of' as RoleKey] }
      assert.equal(await records.put('account', [unheardOf]), 'contradicted')
    }),
  law('every call after close is unavailable')
    .protects('A copy that is late is told so, not given a wrong answer.')
    .check(async (store) => {
      const records = recordsOf(store)
      await store.close()
      const calls = [
        records.identity(),
        records.changeToken(),
        records.count('pet'),
        records.page('pet', undefined, 1),
        records.put('role', [aRole('editor')]),
        records.remove('role', [aRole('editor')]),
        records.claim(SOURCE),
        records.complete(SOURCE),
      ]
      for (const outcome of await Promise.allSettled(calls)) {
        const reason: unknown = outcome.status === 'rejected' ? outcome.reason : undefined
        assert.ok(isRefusal(reason) && reason.code === 'unavailable')
      }
    }),
  law('a page begins after the record that is named, in one order, to the last')
    .protects('A copy leaves no account out, however small its pages are.')
    .check(async (store) => {
      const records = recordsOf(store)
      await fill(store)
      for (const kind of RECORD_KINDS) {
        const whole = await records.page(kind, undefined, 1_000)
        assert.equal(await records.count(kind), whole.length, kind)
        assert.deepEqual(await inPagesOf(records, kind, 1), whole, kind)
      }
    }),
  law('ids go on after the last one that was ever given out')
    .protects('A token of an account that was deleted before the copy never names another one.')
    .check(async (store) => {
      await recordsOf(store).put('counter', [{ name: 'accounts', last: 41 }])
      assert.equal((await enrol(store)).id, 42)
    }),
  law('a counter never goes back')
    .protects('Nor does one that was put twice.')
    .check(async (store) => {
      const records = recordsOf(store)
      for (const last of [41, 7]) await records.put('counter', [{ name: 'accounts', last }])
      assert.deepEqual(await records.page('counter', undefined, 10), [{ name: 'accounts', last: 41 }])
    }),
  law('the change token stays while nothing is written, and moves with every write')
    .protects('A source that was written to while it was copied is found out.')
    .check(async (store) => {
      const records = recordsOf(store)
      await fill(store)
      await records.identity()
      const seen = [await records.changeToken()]
      await contentOf(records)
      await records.identity()
      assert.equal(await records.changeToken(), seen[0], 'it stays while everything is read')
      for (const [name, write] of Object.entries(writesTo(store))) {
        await write()
        const token = await records.changeToken()
        assert.ok(!seen.includes(token), `it moves with ${name}`)
        seen.push(token)
      }
    }),
  law('a store has one identity')
    .protects('A copy has an identity of its own, always the same.')
    .check(async (store) => {
      const records = recordsOf(store)
      const identities = await race(() => records.identity())
      assert.equal(new Set(identities).size, 1)
      assert.notEqual(identities[0], '')
      assert.equal(await records.claim(identities[0] ?? ''), 'same')
    }),
  law('an empty store is begun once, and resumed by the same source only')
    .protects('Two copies do not mix, and one that was killed goes on.')
    .check(async (store) => {
      const records = recordsOf(store)
      const claims = await race(() => records.claim(SOURCE))
      assert.deepEqual(tally(claims), { begun: 1, resumed: claims.length - 1 })
      await fill(store)
      assert.equal(await records.claim(SOURCE), 'resumed')
      assert.equal(await records.claim('another source'), 'occupied')
      await records.complete(SOURCE)
      assert.equal(await records.claim(SOURCE), 'complete')
    }),
  law('a store that holds data is occupied')
    .protects('A copy overwrites no account.')
    .check(async (store) => {
      await enrol(store)
      assert.equal(await recordsOf(store).claim(SOURCE), 'occupied')
      assert.equal(await recordsOf(store).claim(SOURCE), 'occupied')
    }),
  ...afterCopyingLaws,
]
