import {
  presentedProofCode,
  type Proof,
  type ProofDigest,
  type ProofPurpose,
} from '../../../domain/identity/proof.js'
import { REQUIRED } from '../../../domain/messages.js'
import { Refusal } from '../../../domain/refusal.js'
import type { Clock } from '../../../ports/clock.js'
import type { PasswordHasher } from '../../../ports/password-hasher.js'
import type { Proofs, ProofUse } from '../../../ports/proofs.js'
import type { ProofSecrets } from '../../../ports/session-keys.js'
import { optional, text } from '../../fields.js'
import { notValid } from '../own-account.js'
import { verifyPassword } from '../verify-password.js'

/** The members of a form that prove an email: the token in the link, or the code and the secret of the requesting browser. */
export const PROOF_MEMBERS = {
  token: optional(text),
  code: optional(text),
  browserSecret: optional(text),
} as const

export type GivenProof = {
  readonly token?: string | undefined
  readonly code?: string | undefined
  readonly browserSecret?: string | undefined
}

/** A valid proof that has not been used up yet; `use` is the argument of the call that uses it up. */
export type PresentedProof = { readonly proof: Proof; readonly use: ProofUse; readonly refusal: Refusal }

/**
 * Resolves with the proof that the caller presents. Does not use up the proof, but counts each code before checking it, so that no more
 * than `CODE_ATTEMPTS_MAX` codes can be tried, even concurrently. A code costs exactly one password hash, even if there is no proof.
 * Refuses the call with `invalid` for one of these reasons:
 * - `required`: there is neither a token nor a code;
 * - `not-valid`: the proof is unknown, used up, void or for another purpose, or the code is wrong (these look the same);
 * - `other-browser`: a login token is presented in a browser that did not request it.
 */
export type PresentProof = (
  given: GivenProof,
  ...purposes: readonly ProofPurpose[]
) => Promise<PresentedProof>

type Parts = { proofs: Proofs; proofSecrets: ProofSecrets; hasher: PasswordHasher; clock: Clock }

export function createPresentProof(parts: Parts): PresentProof {
  return async ({ token, code, browserSecret = '' }, ...purposes) => {
    const at = parts.clock()
    const binding = parts.proofSecrets.digest(browserSecret)
    if (!token && !code)
      throw new Refusal('invalid', [{ field: 'token', type: 'Required', message: REQUIRED }])
    const refusal = notValid(token ? 'token' : 'code')
    const proof = token
      ? await parts.proofs.find({ digest: parts.proofSecrets.digest(token), at })
      : await provenByCode(parts, { code: code ?? '', binding, at })
    if (!proof?.digest || !purposes.includes(proof.purpose)) throw refusal
    if (proof.purpose === 'login' && proof.binding !== binding) throw otherBrowser()
    return { proof, use: { digest: proof.digest, at }, refusal }
  }
}

async function provenByCode(
  { proofs, hasher }: Parts,
  { code, binding, at }: { readonly code: string; readonly binding: ProofDigest; readonly at: number },
): Promise<Proof | undefined> {
  const proof = await proofs.attempt(binding, at)
  const right = await verifyPassword(hasher, presentedProofCode(code), proof?.codeHash)
  return right === undefined ? undefined : proof
}

function otherBrowser(): Refusal {
  return new Refusal('invalid', [{ field: 'token', type: 'NotValid', message: 'other-browser' }])
}
