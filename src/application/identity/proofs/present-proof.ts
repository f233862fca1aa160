import { ANONYMOUS } from '../../../domain/access/caller.js'
import type { AuditEvent } from '../../../domain/audit.js'
import {
  presentedProofCode,
  type Proof,
  type ProofDigest,
  type PresentedPurpose,
} from '../../../domain/identity/proof.js'
import type { Instant } from '../../../domain/instant.js'
import { REQUIRED } from '../../../domain/messages.js'
import { Refusal } from '../../../domain/refusal.js'
import type { ProofUse } from '../../../ports/proofs.js'
import { verifyPassword } from '../../accounts/passwords.js'
import type { ClientContext } from '../../client-context.js'
import { optional, text } from '../../fields.js'
import type { GivenShared } from '../../shared-parts.js'
import { notValid } from '../own-account.js'
import { withAttemptCounted } from '../throttle.js'

/**
 * The form fields that prove ownership of an email address: the token from the link, or the code and the secret of the browser that
 * requested it.
 */
export const PROOF_MEMBERS = {
  token: optional(text),
  code: optional(text),
  browserSecret: optional(text),
} as const

export type GivenProof = {
  readonly token?: string | undefined
  readonly code?: string | undefined
  readonly browserSecret?: string | undefined
  readonly client?: ClientContext | undefined
}

/** A valid proof that has not been used up yet; `use` is the argument of the call that uses it up. */
export type PresentedProof = { readonly proof: Proof; readonly use: ProofUse; readonly refusal: Refusal }

/**
 * Resolves with the proof that the caller presents. Does not use up the proof, but counts each code before checking it, so that no more
 * than `CODE_ATTEMPTS_MAX` codes can be tried, even concurrently. A code costs exactly one password hash, even if there is no proof, so a
 * wrong code counts as a failed login of the client's network. A wrong proof is audited.
 * Refuses the call with `too-many-attempts` (too many wrong codes or passwords from this network, if attempts are limited), with
 * `overloaded`, or with `invalid` for one of these reasons:
 * - `required`: neither a token nor a code is present;
 * - `not-valid`: the proof is unknown, used up, void or for another purpose, or the code is wrong (these look the same);
 * - `other-browser`: a login token is presented in a browser that did not request it.
 */
export type PresentProof = (
  given: GivenProof,
  ...purposes: readonly [PresentedPurpose, ...PresentedPurpose[]]
) => Promise<PresentedProof>

type Parts = GivenShared<['proofs', 'proofSecrets', 'hasher', 'throttle', 'audit', 'clock']>

const EVENTS: Readonly<Record<PresentedPurpose, AuditEvent>> = {
  ...{ 'sign-up': 'sign-up', invitation: 'sign-up', login: 'login' },
  ...{ 'change-email': 'email.change', 'undo-email': 'email.undo' },
}

export function createPresentProof(parts: Parts): PresentProof {
  return async ({ token, code, browserSecret = '', client }, ...purposes) => {
    const at = parts.clock()
    const binding = parts.proofSecrets.digest(browserSecret)
    if (!token && !code)
      throw new Refusal('invalid', [{ field: 'token', type: 'Required', message: REQUIRED }])
    const refusal = notValid(token ? 'token' : 'code')
    const { proof, isRight } = token
      ? { proof: await parts.proofs.find({ digest: parts.proofSecrets.digest(token), at }), isRight: true }
      : await guessedProof(parts, { code, binding, at, client })
    if (!isRight || !proof?.digest || !purposes.some((one) => one === proof.purpose)) {
      await recordFailure(parts, EVENTS[purposes[0]], { proof, client })
      throw refusal
    }
    if (proof.purpose === 'login' && proof.binding !== binding)
      throw new Refusal('invalid', [{ field: 'token', type: 'NotValid', message: 'other-browser' }])
    return { proof, use: { digest: proof.digest, at }, refusal }
  }
}

type Guess = Pick<GivenProof, 'code' | 'client'> & { readonly binding: ProofDigest; readonly at: Instant }

async function guessedProof(
  { proofs, hasher, throttle }: Parts,
  { code = '', binding, at, client }: Guess,
): Promise<{ readonly proof?: Proof | undefined; readonly isRight: boolean }> {
  let proof: Proof | undefined
  const right = await withAttemptCounted(throttle, { email: binding, client }, async () => {
    // The attempt is counted before the code is checked, and also counts if the hasher is overloaded: otherwise, concurrent attempts could
    // exceed the limit.
    proof = await proofs.attempt(binding, at)
    return await verifyPassword(hasher, presentedProofCode(code), proof?.codeHash)
  })
  return { proof, isRight: right !== undefined }
}

async function recordFailure(
  { audit }: Parts,
  event: AuditEvent,
  { proof, client }: { readonly proof: Proof | undefined } & Pick<GivenProof, 'client'>,
): Promise<void> {
  await audit.tally({ event, caller: ANONYMOUS, outcome: 'failure', subject: proof?.accountId, client })
}
