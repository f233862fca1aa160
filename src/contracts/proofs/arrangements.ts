import type { Account } from '../../domain/identity/account.js'
import type { Proof, ProofDigest, ProofPurpose } from '../../domain/identity/proof.js'
import type { ProofUse } from '../../ports/proofs.js'
import type { Store } from '../../ports/store.js'
import { eachInOrder, numbersBelow } from '../barrier.js'
import { aProof, hashOf, NOW } from '../samples.js'

/** Stores a proof and returns it. */
export async function issue(
  { proofs }: Store,
  purpose: ProofPurpose,
  label: string,
  change: Partial<Proof> = {},
): Promise<Proof> {
  const proof = aProof(purpose, label, change)
  await proofs.issue(proof)
  return proof
}

/** Stores proofs for undoing this many changes of email, from the first change to the last change. */
export async function issueUndos(store: Store, { id: accountId }: Account, count: number) {
  return await eachInOrder(
    numbersBelow(count),
    async (number) => await issue(store, 'undo-email', `${accountId} undo ${10 + number}`, { accountId }),
  )
}

export function useOf({ digest }: Proof, at = NOW): ProofUse {
  return { digest: digest as ProofDigest, at }
}

export const newAccount = (name: string) => ({ passwordHash: hashOf(name), createdAt: NOW })

type Use = {
  readonly purposes: readonly ProofPurpose[]
  /** Returns the outcome in one word. */
  readonly use: (store: Store, use: ProofUse) => Promise<string>
}

/** The calls that use a proof up. */
export const USES: readonly Use[] = [
  { purposes: ['login'], use: ({ proofs }, use) => proofs.consume(use) },
  {
    purposes: ['sign-up', 'invitation'],
    use: async ({ proofs }, use) => (await proofs.createAccount({ ...use, account: newAccount('new') })).kind,
  },
  {
    purposes: ['change-email'],
    use: ({ proofs }, use) => proofs.changeEmail(use, aProof('undo-email', `undo ${use.digest}`)),
  },
  { purposes: ['undo-email'], use: ({ proofs }, use) => proofs.undoEmail(use) },
]
