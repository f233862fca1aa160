import { mailAddress } from '../../../domain/identity/email.js'
import {
  PROOF_LIFETIMES,
  type PresentedPurpose,
  type Proof,
  type ProofId,
  type ProofSecret,
} from '../../../domain/identity/proof.js'
import { shownEmail } from '../../../domain/identity/account.js'
import type { ClientContext } from '../../client-context.js'
import type { LimitMailRequests } from './limit-mail-requests.js'
import type { GivenShared } from '../../shared-parts.js'

/** The proof to request; `accountId` and `epoch` are present only if a logged-in account requests the proof. */
export type WantedProof = { readonly purpose: PresentedPurpose } & Pick<
  Proof,
  'email' | 'enteredEmail' | 'accountId' | 'epoch'
>

/** The secret for the requesting browser; the mailed code works only together with this secret. */
export type RequestedProof = { readonly browserSecret: ProofSecret }

/**
 * Queues an email with a proof, and resolves with a new secret for the requesting browser. For each purpose, an address gets at most one
 * email per minute and five per hour; further requests resolve in the same way but send nothing. Refuses the call with `too-many-attempts`
 * (too many requests from this network, if attempts are limited) or `overloaded` (too many emails are queued).
 */
export type RequestProof = (wanted: WantedProof, client: ClientContext | undefined) => Promise<RequestedProof>

type IssueParts = GivenShared<['proofs', 'queueMail', 'clock']>
type Parts = IssueParts &
  GivenShared<['proofSecrets', 'timeOrderedIds']> & {
    limitMailRequests: LimitMailRequests
  }

export function createRequestProof(parts: Parts): RequestProof {
  return async (wanted, client) => {
    const browserSecret = parts.proofSecrets.fresh()
    const { purpose: kind, email } = wanted
    await parts.limitMailRequests({ kind, email, client }, async () => {
      const proof = newProof(parts, { ...wanted, binding: parts.proofSecrets.digest(browserSecret) })
      await issueByMail(parts, proof, client)
    })
    return { browserSecret }
  }
}

/**
 * Stores the proof and queues its email. If the email is refused, the proof is removed. Otherwise, a flood of requests could fill the
 * store.
 */
export async function issueByMail(
  { proofs, queueMail, clock }: IssueParts,
  proof: Proof & Pick<WantedProof, 'purpose'>,
  client?: ClientContext,
): Promise<void> {
  await proofs.issue(proof)
  try {
    await queueMail(proof.purpose, mailAddress(shownEmail(proof)), client, { id: proof.id })
  } catch (error) {
    await proofs.remove(proof.id, clock())
    throw error
  }
}

/** Returns a proof without secrets, which are added when its email is created. */
export function newProof(
  { timeOrderedIds, clock }: Pick<Parts, 'timeOrderedIds' | 'clock'>,
  wanted: WantedProof & Partial<Proof>,
): Proof & Pick<WantedProof, 'purpose'> {
  const createdAt = clock()
  const until = createdAt + PROOF_LIFETIMES[wanted.purpose]
  return { ...wanted, id: timeOrderedIds(createdAt) as ProofId, createdAt, until, attempts: 0 }
}
