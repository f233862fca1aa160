import type { Email } from '../../../domain/identity/email.js'
import { CHALLENGE_LIFETIME, type Ceremony } from '../../../domain/identity/passkey.js'
import type { Proof, ProofId } from '../../../domain/identity/proof.js'
import type { TimeOrderedIds } from '../../../domain/time-ordered-ids.js'
import type { Clock } from '../../../ports/clock.js'
import type { Proofs } from '../../../ports/proofs.js'
import type { Randomness } from '../../../ports/randomness.js'
import type { ProofSecrets } from '../../../ports/session-keys.js'

/**
 * The scope of a challenge: one ceremony, and one session (`binding` is the ID of the session) or one browser (`binding` is the secret that
 * the browser keeps).
 */
export type ChallengeScope = { readonly ceremony: Ceremony; readonly binding: string }

/** The challenges that passkeys sign. Each is valid once, for `CHALLENGE_LIFETIME`; the store contains only its digest. */
export type PasskeyChallenges = {
  /** Resolves with a new challenge. If it is for an account, it becomes void when the account's epoch changes. */
  issue(scope: ChallengeScope, account?: Pick<Proof, 'accountId' | 'epoch'>): Promise<string>
  /** Uses up a challenge. Only one concurrent caller with the same challenge gets `true`. */
  consume(scope: ChallengeScope, challenge: string): Promise<boolean>
}

/** The parts needed for challenges. */
export type ChallengeParts = {
  proofs: Proofs
  proofSecrets: ProofSecrets
  timeOrderedIds: TimeOrderedIds
  randomness: Randomness
  clock: Clock
}

const CHALLENGE_BYTES = 32

export function createPasskeyChallenges(parts: ChallengeParts): PasskeyChallenges {
  const { proofs, proofSecrets, clock } = parts
  const digestOf = ({ ceremony, binding }: ChallengeScope, challenge: string) =>
    proofSecrets.digest(`${ceremony} ${binding} ${challenge}`)
  return {
    issue: async (scope, account) => {
      const createdAt = clock()
      const challenge = parts.randomness.base64url(CHALLENGE_BYTES)
      await proofs.issue({
        id: parts.timeOrderedIds(createdAt) as ProofId,
        purpose: 'passkey',
        email: '' as Email,
        createdAt,
        until: createdAt + CHALLENGE_LIFETIME,
        digest: digestOf(scope, challenge),
        attempts: 0,
        ...account,
      })
      return challenge
    },
    consume: async (scope, challenge) =>
      (await proofs.consume({ digest: digestOf(scope, challenge), at: clock() })) === 'consumed',
  }
}
