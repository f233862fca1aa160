import type { Proof } from '../../../src/domain/identity/proof.js'
import { also, type Bug, bugsOf, first, given, gives } from './bug.js'

const bug = bugsOf('proofs')

const brokenRecords: readonly Bug[] = [
  bug('find uses up the proof', /find returns a proof by/, ({ proofs }) => ({
    find: also((found) => found && proofs.remove(found.id, 0)),
  })),
  bug('the email as entered is left out', /stored completely|with the email and the roles/, () => ({
    issue: given(({ enteredEmail: _, ...proof }) => [proof]),
  })),
  bug('renew keeps the code', /renew replaces/, ({ proofs }) => ({
    renew: (call) => async (renewal) => {
      const { codeHash } = (await proofs.find({ digest: renewal.digest, at: 0 })) ?? {}
      return await call({ ...renewal, ...(codeHash && { codeHash }) })
    },
  })),
  bug('renew restores a proof', /renew returns|never restores/, ({ proofs }) => {
    const kept = new Map<string, Proof>()
    return {
      issue: first((proof) => kept.set(proof.id, structuredClone(proof))),
      renew: (call) => async (renewal) => {
        const before = kept.get(renewal.id)
        if (before && !(await proofs.page(before.purpose, undefined, 9)).some(({ id }) => id === before.id))
          await proofs.issue(before)
        return await call(renewal)
      },
    }
  }),
  bug('attempts are not limited', /limit of attempts/, ({ proofs }) => ({
    attempt: (call) => async (binding, at) => {
      const found = await call(binding, at)
      if (found) await proofs.issue({ ...found, attempts: 0 })
      return found
    },
  })),
  bug('pages contain proofs of all purposes', /page returns/, ({ proofs }) => ({
    page: gives(async (found, _, after, limit) => [
      ...found,
      ...(await proofs.page('change-email', after, limit)),
    ]),
  })),
  bug('purge ignores its limit', /purge removes expired proofs/, () => ({
    purge: given((at) => [at, Infinity]),
  })),
]

const brokenUses: readonly Bug[] = [
  bug(
    'the epoch is left out',
    /invalidates every|epoch of a disabled|that expire last|a reset with any/,
    () => ({
      issue: given(({ epoch: _, ...proof }) => [proof]),
    }),
  ),
  bug('a new account has no roles', /with the email and the roles|keeps the proof/, () => ({
    issue: given(({ roles: _, ...proof }) => [proof]),
  })),
  bug('a refused change can be undone', /to an email in use|can be undone/, ({ proofs }) => ({
    changeEmail: first((_, undo) => proofs.issue(undo)),
  })),
]

const brokenResets: readonly Bug[] = [
  bug(
    'a reset keeps the epoch',
    /resetPassword sets|races? a reset|a reset invalidates|each success/,
    ({ proofs, accounts }) => ({
      resetPassword: () => async (use, hash) => {
        const { id, accountId, purpose } = (await proofs.find(use)) ?? {}
        const { passwordHash = hash } = (accountId && (await accounts.find(accountId))) ?? {}
        if (!id || !accountId || purpose !== 'reset-password') return 'spent'
        if ((await proofs.remove(id, use.at)) === 'unknown') return 'spent'
        await accounts.replaceHash(accountId, passwordHash, hash)
        return accountId
      },
    }),
  ),
]

const brokenRaces: readonly Bug[] = [
  bug(
    'every use succeeds',
    /of two proofs|proofs: .*(?:uses and removals|every call refuses|invalidates every|undoEmail restores)/,
    () => ({
      consume: gives(() => 'consumed'),
      createAccount: gives(() => ({ kind: 'created', id: 1 as never })),
      changeEmail: gives(() => 'changed'),
      undoEmail: gives(() => 'changed'),
      resetPassword: gives(() => 1 as never),
    }),
  ),
]

export const bugsOfProofs: readonly Bug[] = [...brokenRecords, ...brokenUses, ...brokenResets, ...brokenRaces]
