import { CHALLENGE_LIFETIME, type Ceremony } from '../../../domain/identity/passkey.js'
import type { SessionId, SessionKey } from '../../../domain/identity/session.js'
import type { Instant } from '../../../domain/instant.js'
import type { SessionKeys } from '../../../ports/session-keys.js'
import type { TokenSigner } from '../../../ports/tokens.js'
import type { GivenShared } from '../../shared-parts.js'

/**
 * The scope of a challenge: one ceremony, and one session (`binding` is the ID of the session) or one browser (`binding` is the secret that
 * the browser keeps).
 */
export type ChallengeScope = { readonly ceremony: Ceremony; readonly binding: string }

export type PasskeyChallenges = ReturnType<typeof createPasskeyChallenges>

export type ChallengeParts = GivenShared<['attempts', 'randomness', 'clock']> & {
  tokens: Pick<TokenSigner, 'currentKid'>
  sessionKeys: Pick<SessionKeys, 'digest' | 'successor'>
}

const RANDOM_BYTES = 16
/** A used challenge is remembered for twice its lifetime, because the clocks of processes differ. */
const ONCE = { count: 1, window: 2 * CHALLENGE_LIFETIME }

/**
 * The challenges that passkeys sign. Each challenge is valid once, for `CHALLENGE_LIFETIME`. A service key authenticates the time and the
 * scope of a challenge, so nothing is stored until the challenge is used. This way, visitors who only begin a login cannot fill the store.
 */
export function createPasskeyChallenges(parts: ChallengeParts) {
  const { tokens, sessionKeys, attempts, clock } = parts
  const digestOf = (challenge: string | undefined) => sessionKeys.digest(challenge as SessionKey)

  /**
   * Returns `undefined` if the key ring has no key with this ID. Session keys never contain a slash, unlike this source, so no challenge
   * reveals a session key.
   */
  function authenticated({ ceremony, binding }: ChallengeScope, kid: string, at: Instant, random: string) {
    const source = `${ceremony}/${random}` as SessionKey
    const code = sessionKeys.successor(kid, source, binding as SessionId, at)
    return code && Buffer.from([kid, at, random, code].join(' ')).toString('base64url')
  }

  return {
    // The key ring always has the current key.
    issue: (scope: ChallengeScope) =>
      authenticated(scope, tokens.currentKid, clock(), parts.randomness.base64url(RANDOM_BYTES)) as string,
    /** Uses up a challenge. Only one concurrent caller with the same challenge gets `true`, even across processes. */
    consume: async (scope: ChallengeScope, challenge: string): Promise<boolean> => {
      const at = clock()
      const [kid = '', time, random = ''] = Buffer.from(challenge, 'base64url').toString().split(' ')
      const issuedAt = Number(time)
      const isRecent = Math.abs(at - issuedAt) < CHALLENGE_LIFETIME
      const known = isRecent ? authenticated(scope, kid, issuedAt, random) : undefined
      // Compares digests, so that the response time reveals nothing about the valid challenge.
      if (!known || digestOf(known) !== digestOf(challenge)) return false
      const name = `passkey challenge ${digestOf(challenge)}`
      return (await attempts.take([{ name, limit: ONCE }], at)).kind === 'taken'
    },
  }
}
