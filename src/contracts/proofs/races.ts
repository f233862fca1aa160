import assert from 'node:assert/strict'
import { CODE_ATTEMPTS_MAX, PROOF_PURPOSES } from '../../domain/identity/proof.js'
import { accountOf, addAccount, issue, issueUndos, newAccount, useOf, USES } from '../arrangements.js'
import { assertRace, eachInOrder, numbersBelow, race, tally, lawOf, type Law } from '../law.js'
import { aProof, emailOf, NOW, proofDigestOf } from '../samples.js'

const law = lawOf('proofs')
const accountLaw = lawOf('proofs', addAccount)

/** Contract tests for concurrent uses of email proofs. */
export const proofRaceLaws: readonly Law[] = [
  ...PROOF_PURPOSES.map((purpose) =>
    accountLaw(`exactly one of 16 concurrent uses and removals of a proof for ${purpose} succeeds`)
      .protects('A link works once, and an administrator who revokes it learns whether it was used first.')
      .inRounds(async (store, round, { id: accountId, epoch }) => {
        const proof = await issue(store, purpose, `${round}`, { accountId, epoch })
        const answers = await race((caller) =>
          caller % (round + 1) === round % 2
            ? store.proofs.remove(proof.id, NOW)
            : USES[purpose](store, useOf(proof)),
        )
        const { spent = 0, unknown = 0, ...won } = tally(answers)
        assert.deepEqual([spent + unknown, Object.values(won)], [15, [1]])
        assert.equal(await store.proofs.find(useOf(proof)), undefined)
      }),
  ),
  law('exactly one of two proofs for the same email creates an account')
    .protects('Two sign-ups with the same address create one account.')
    .inRounds(async (store, round) => {
      const email = emailOf(`ann ${round}`)
      const proofs = await eachInOrder(
        ['one', 'two'],
        async (label) => await issue(store, 'sign-up', `${round} ${label}`, { email }),
      )
      await assertRace({ created: 1, 'email-taken': 1, spent: 14 }, (caller) =>
        store.proofs.createAccount({
          ...useOf(proofs[caller % 2] ?? assert.fail()),
          account: newAccount('ann'),
        }),
      )
    }),
  accountLaw("exactly one of 16 concurrent proofs for changing an account's email succeeds and can be undone")
    .protects('The link in the email about a change undoes exactly that change.')
    .inRounds(async (store, round, ann) => {
      const { id: accountId, epoch } = ann
      const changes = await eachInOrder(
        numbersBelow(16),
        async (number) => await issue(store, 'change-email', `${round} to ${number}`, { accountId, epoch }),
      )
      const undoOf = (caller: number) =>
        aProof('undo-email', `${round} undo ${caller}`, { accountId, email: ann.email })
      const answers = await assertRace({ changed: 1, spent: 15 }, (caller) =>
        store.proofs.changeEmail(useOf(changes[caller] ?? assert.fail()), undoOf(caller)),
      )
      const winner = answers.indexOf('changed')
      assert.equal((await accountOf(store, accountId)).email, changes[winner]?.email)
      const undos = await store.proofs.page('undo-email', undefined, 100)
      assert.deepEqual(
        undos.filter((undo) => undo.accountId === accountId),
        [undoOf(winner)],
      )
    }),
  accountLaw('if 16 changes are undone concurrently, the undo of the first change takes effect last')
    .protects("A thief cannot take the account back by undoing the owner's change at the same time.")
    .inRounds(async (store, _, ann) => {
      const undos = await issueUndos(store, ann, 16)
      const answers = await race((caller) =>
        store.proofs.undoEmail(useOf(undos[15 - caller] ?? assert.fail())),
      )
      assert.equal(answers[15], 'changed')
      assert.equal((await accountOf(store, ann.id)).email, undos[0]?.email)
      assert.deepEqual(await store.proofs.listOf(ann.id), [])
    }),
  law(`exactly ${CODE_ATTEMPTS_MAX} of 16 concurrent attempts get the proof`)
    .protects('A thief who guesses codes concurrently gets no additional guesses.')
    .inRounds(async (store, round) => {
      const binding = proofDigestOf(`browser ${round}`)
      await issue(store, 'login', `${round}`, { binding })
      const found = (await race(() => store.proofs.attempt(binding, NOW))).filter((proof) => proof)
      assert.deepEqual(
        found.map((proof) => proof?.attempts).sort(),
        numbersBelow(CODE_ATTEMPTS_MAX).map((number) => number + 1),
      )
    }),
  law('after concurrent renewals, exactly one new link works, and a renewal never restores a removed proof')
    .protects('Only the newest email works, and a revoked invitation stays revoked.')
    .inRounds(async (store, round) => {
      const [kept, removed] = [
        await issue(store, 'invitation', `${round} kept`),
        await issue(store, 'invitation', `${round} removed`),
      ]
      const digestOf = (caller: number) => proofDigestOf(`renewed ${round} ${caller}`)
      await race(async (caller) => {
        const { id, until } = caller % 2 ? kept : removed
        if (caller === 8) await store.proofs.remove(id, NOW)
        else await store.proofs.renew({ id, until, digest: digestOf(caller) })
      })
      const found = await eachInOrder(
        numbersBelow(16),
        async (caller) => await store.proofs.find({ digest: digestOf(caller), at: NOW }),
      )
      assert.deepEqual(
        found.flatMap((proof) => proof?.id ?? []),
        [kept.id],
      )
    }),
]
