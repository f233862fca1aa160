import assert from 'node:assert/strict'
import { PASSKEYS_MAX, type Passkey, type PasskeyName } from '../../domain/identity/passkey.js'
import type { Store } from '../../ports/store.js'
import { accountOf, addAccount, addPasskey, addPasskeys, withoutHash } from '../arrangements.js'
import { assertRace, race, tally, lawOf, type Law } from '../law.js'
import { aPasskey, hashOf, NOW, passkeyIdOf } from '../samples.js'

const law = lawOf('passkeys')
const accountLaw = lawOf('passkeys', addAccount)

/** Contract tests for concurrent calls to the `Passkeys` port. */
export const passkeyRaceLaws: readonly Law[] = [
  accountLaw('16 concurrent additions never exceed the maximum number of passkeys')
    .protects('No account has more passkeys than its page can show.')
    .inRounds(async (store, _, ann) => {
      await addPasskeys(store, ann, PASSKEYS_MAX - 3)
      const answers = await assertRace({ added: 3, full: 13 }, (caller) =>
        store.passkeys.add(aPasskey(ann, `${ann.id} of ${caller}`), ann.epoch),
      )
      const stored = await store.passkeys.listOf(ann.id)
      assert.equal(stored.length, PASSKEYS_MAX)
      for (const [caller, answer] of answers.entries()) {
        const found = await store.passkeys.find(passkeyIdOf(`${ann.id} of ${caller}`))
        assert.equal(found !== undefined, answer === 'added')
      }
    }),
  accountLaw('exactly one of 16 concurrent additions of one ID to two accounts succeeds')
    .protects('A passkey belongs to one account.')
    .inRounds(async (store, round, ann) => {
      const bob = await addAccount(store, `bob ${round}`)
      const ownerOf = (caller: number) => (caller % 2 === 0 ? ann : bob)
      const answers = await assertRace({ added: 1, taken: 15 }, (caller) =>
        store.passkeys.add(aPasskey(ownerOf(caller), `shared ${round}`), ann.epoch),
      )
      const owner = ownerOf(answers.indexOf('added'))
      const passkey = aPasskey(owner, `shared ${round}`)
      assert.deepEqual(await store.passkeys.find(passkey.id), passkey)
      for (const { id } of [ann, bob])
        assert.deepEqual(await store.passkeys.listOf(id), id === owner.id ? [passkey] : [])
    }),
  accountLaw('adding a passkey after an epoch change is refused if the call has the earlier epoch')
    .protects('A password change cancels a passkey registration that a thief has started.')
    .inRounds(async (store, _, ann) => {
      const answers = await race(async (caller) => {
        if (caller === 7) await store.accounts.setPassword(ann.id, hashOf('new'))
        const added = await store.passkeys.add(aPasskey(ann, `${ann.id} of ${caller}`), ann.epoch)
        return { caller, added }
      })
      assert.equal(answers[7]?.added, 'changed')
      const added = answers.filter((one) => one.added === 'added').length
      assert.deepEqual(tally(answers.map((one) => one.added)), {
        ...(added > 0 && { added }),
        changed: answers.length - added,
      })
      assert.equal((await store.passkeys.listOf(ann.id)).length, added)
    }),
  accountLaw('removing an account while passkeys are being added leaves no passkey behind')
    .protects('A deleted account leaves nothing behind.')
    .inRounds(async (store, _, ann) => {
      const labelOf = (caller: number) => `${ann.id} of ${caller}`
      await race(async (caller) =>
        caller === 7
          ? await store.accounts.remove(ann.id)
          : await store.passkeys.add(aPasskey(ann, labelOf(caller)), ann.epoch),
      )
      const bob = await addAccount(store, `bob ${ann.id}`)
      for (const caller of [0, 8, 15]) await addPasskey(store, bob, labelOf(caller))
      assert.deepEqual(await store.passkeys.listOf(ann.id), [])
    }),
  accountLaw('exactly one of 16 concurrent uses with the same counter succeeds')
    .protects('A signature from an authenticator with a counter opens only one session.')
    .inRounds(async (store, _, ann) => {
      const { id } = await addPasskey(store, ann, `${ann.id}`)
      await assertRace({ used: 1, rewound: 15 }, () =>
        store.passkeys.use(id, { counter: 1, backedUp: false, at: NOW }),
      )
    }),
  accountLaw('after concurrent uses with different counters, the use with the highest counter is stored')
    .protects('The counter never goes back, so that a cloned authenticator is detected.')
    .inRounds(async (store, _, ann) => {
      const passkey = await addPasskey(store, ann, `${ann.id}`)
      const useOf = (caller: number) => ({
        counter: caller + 1,
        backedUp: caller % 2 === 1,
        at: NOW + caller,
      })
      const answers = await race((caller) => store.passkeys.use(passkey.id, useOf(caller)))
      const { at: lastUsedAt, ...use } = useOf(15)
      assert.deepEqual(await store.passkeys.find(passkey.id), { ...passkey, ...use, lastUsedAt })
      assert.equal(answers[15], 'used')
    }),
  accountLaw('all concurrent uses succeed if the authenticator has no signature counter')
    .protects('A synced passkey works on two devices at the same time.')
    .inRounds(async (store, _, ann) => {
      const { id } = await addPasskey(store, ann, `${ann.id}`)
      await assertRace({ used: 16 }, () => store.passkeys.use(id, { counter: 0, backedUp: true, at: NOW }))
    }),
  accountLaw('exactly one of 16 concurrent removals succeeds, and no other call restores the passkey')
    .protects('A removed passkey stays removed.')
    .inRounds(async (store, _, ann) => {
      const { id } = await addPasskey(store, ann, `${ann.id}`)
      const answers = await race(async (caller) => {
        if (caller % 4 === 0) return await store.passkeys.rename(ann.id, id, 'Renamed' as PasskeyName)
        if (caller % 4 === 2) return await store.passkeys.use(id, { counter: 0, backedUp: true, at: NOW })
        return await store.passkeys.remove(ann.id, id)
      })
      const removals = answers.filter((_, caller) => caller % 2 === 1)
      assert.deepEqual(tally(removals), { removed: 1, unknown: 7 })
      assert.equal(await store.passkeys.find(id), undefined)
      assert.deepEqual(await store.passkeys.listOf(ann.id), [])
    }),
  law(
    'exactly one of two concurrent removals of the last two passkeys succeeds if the account has no password',
  )
    .protects('Two clicks do not lock a user out of the account.')
    .inRounds(async (store, round) => {
      const bob = await withoutHash(store, `bob ${round}`)
      const both = (await addPasskeys(store, bob, 2)) as [Passkey, Passkey]
      const answers = await race((caller) => removeOne(store, both[caller % 2 === 0 ? 0 : 1]))
      const removed = both[answers.indexOf('removed') % 2 === 0 ? 0 : 1]
      assert.deepEqual(
        await store.passkeys.listOf(bob.id),
        both.filter((one) => one !== removed),
      )
      assert.deepEqual(tally(answers), { removed: 1, unknown: 7, 'last-way': 8 })
      assert.deepEqual(await accountOf(store, bob.id), bob)
    }),
]

async function removeOne({ passkeys }: Store, { accountId, id }: Passkey) {
  return await passkeys.remove(accountId, id)
}
