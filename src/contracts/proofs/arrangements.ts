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

/** Stores proofs that undo this many email changes, in the order of the changes. */
export async function issueUndos(store: Store, { id: accountId }: Account, count: number) {
  return await eachInOrder(
    numbersBelow(count),
    async (number) => await issue(store, 'undo-email', `${accountId} undo ${10 + number}`, { accountId }),
  )
}

/** Stores a proof for resetting the account's password. */
export async function issueReset(
  store: Store,
  account: Account,
  label = 'reset',
  change: Partial<Proof> = {},
) {
  const { id: accountId, epoch, email } = account
  return await issue(store, 'reset-password', `${accountId} ${label}`, { accountId, epoch, email, ...change })
}

export function useOf({ digest }: Proof, at = NOW): ProofUse {
  return { digest: digest as ProofDigest, at }
}

export const newAccount = (name: string) => ({ passwordHash: hashOf(name), createdAt: NOW })

/** Uses a proof and returns the outcome in one word. */
type Use = (store: Store, use: ProofUse) => Promise<string>

const createAccount: Use = async ({ proofs }, use) =>
  (await proofs.createAccount({ ...use, account: newAccount('new') })).kind

/** For each purpose, the call that uses up a proof. */
export const USES: Readonly<Record<ProofPurpose, Use>> = {
  'sign-up': createAccount,
  invitation: createAccount,
  'change-email': ({ proofs }, use) => proofs.changeEmail(use, aProof('undo-email', `undo ${use.digest}`)),
  'undo-email': ({ proofs }, use) => proofs.undoEmail(use),
  login: ({ proofs }, use) => proofs.consume(use),
  'reset-password': async ({ proofs }, use) => `${await proofs.resetPassword(use, hashOf('reset'))}`,
}
