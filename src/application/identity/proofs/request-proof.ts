import { shownEmail } from '../../../domain/identity/account.js'
import { rateLimitKey } from '../../../domain/identity/address.js'
import { mailAddress, type Email } from '../../../domain/identity/email.js'
import {
  isProofSecret,
  PROOF_LIFETIMES,
  type PresentedPurpose,
  type Proof,
  type ProofId,
  type ProofSecret,
} from '../../../domain/identity/proof.js'
import type { Instant } from '../../../domain/instant.js'
import { TooManyAttempts } from '../../../domain/refusal.js'
import type { AttemptCount } from '../../../ports/attempt-limiter.js'
import type { ClientContext } from '../../client-context.js'
import type { GivenShared } from '../../shared-parts.js'
import { digestOf } from '../throttle.js'

/**
 * Counts a request for an email of this kind, and runs `queue`, which queues the email. Refunds the request if `queue` fails. If the
 * address has reached a limit, does not run `queue` and does not inform the caller; otherwise a stranger could keep the owner from
 * requesting an email. Addresses with and without an account are counted in the same way. Refuses with `too-many-attempts` if the client's
 * network has reached its limit.
 */
export type LimitMailRequests = (request: MailRequest, queue: () => Promise<unknown>) => Promise<void>

export type MailRequest = {
  readonly kind: 'reset' | PresentedPurpose
  readonly email: Email
  readonly client: ClientContext | undefined
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/**
 * Limits how many emails are sent to one address, so that no mailbox is flooded. The limit with the shortest window comes first. The code in
 * a login email works only in the browser that requested it, so each network has separate counts for such emails: otherwise a stranger could
 * use up the owner's emails and so prevent the login.
 */
function mailCounts(kind: MailRequest['kind'], address: string, network: string | undefined): AttemptCount[] {
  const to = kind === 'login' ? `${address} from ${network ?? 'anywhere'}` : address
  const counts = [
    { name: `${kind} mail minute ${to}`, limit: { count: 1, window: MINUTE } },
    { name: `${kind} mail hour ${to}`, limit: { count: 5, window: HOUR } },
  ]
  if (kind !== 'login') return counts
  return [...counts, { name: `${kind} mail hour ${address}`, limit: { count: 20, window: HOUR } }]
}

type LimitParts = GivenShared<['attempts', 'digest', 'clock', 'networkLimit']>

export function createLimitMailRequests(parts: LimitParts): LimitMailRequests {
  return async ({ kind, email, client }, queue) => {
    const at = parts.clock()
    const network = rateLimitKey(client?.address)
    await countNetwork(parts, kind, { network, at })
    // Only a digest is stored, because users may type anything into an email field.
    const counts = mailCounts(kind, digestOf(parts.digest, email), network)
    const outcome = await parts.attempts.take(counts, at)
    if (outcome.kind !== 'taken') return
    try {
      await queue()
    } catch (error) {
      await parts.attempts.refund(outcome.attempt)
      throw error
    }
  }
}

/** A network's count is never refunded: a request counts even if no email is sent. */
async function countNetwork(
  { attempts, networkLimit: limit }: Pick<LimitParts, 'attempts' | 'networkLimit'>,
  kind: string,
  { network, at }: { readonly network: string | undefined; readonly at: Instant },
): Promise<void> {
  if (network === undefined || limit === undefined) return
  const outcome = await attempts.take([{ name: `${kind} address ${network}`, limit }], at)
  if (outcome.kind === 'refused') throw new TooManyAttempts(outcome.until - at)
}

/** The proof to request; `accountId` and `epoch` are present only if a logged-in account requests the proof. */
export type WantedProof = { readonly purpose: PresentedPurpose } & Pick<
  Proof,
  'email' | 'enteredEmail' | 'accountId' | 'epoch'
>

/** The browser that requests a proof, and its secret from an earlier request. */
export type RequestingBrowser = {
  readonly browserSecret?: string | undefined
  readonly client: ClientContext | undefined
}

/** The secret for the requesting browser; the mailed code works only together with this secret. */
export type RequestedProof = { readonly browserSecret: ProofSecret }

/**
 * Queues an email with a proof, and resolves with a new secret for the requesting browser. For each purpose, an address gets at most one
 * email per minute and five per hour; for a login, at most that many requested from one network (for IPv6, a /64), and 20 per hour from all
 * networks. Further requests resolve in the same way but send nothing. A browser then keeps its earlier secret, because the code in the last
 * email works only with this secret. Refuses the call with `too-many-attempts` (too many requests from this network, if attempts are limited)
 * or `overloaded` (too many emails are queued).
 */
export type RequestProof = (wanted: WantedProof, browser: RequestingBrowser) => Promise<RequestedProof>

type IssueParts = GivenShared<['proofs', 'queueMail', 'clock']>
type Parts = IssueParts &
  GivenShared<['proofSecrets', 'timeOrderedIds']> & {
    limitMailRequests: LimitMailRequests
  }

export function createRequestProof(parts: Parts): RequestProof {
  return async (wanted, { browserSecret: known, client }) => {
    const fresh = parts.proofSecrets.fresh()
    let browserSecret = isProofSecret(known) ? known : fresh
    const { purpose: kind, email } = wanted
    await parts.limitMailRequests({ kind, email, client }, async () => {
      browserSecret = fresh
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
