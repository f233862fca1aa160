import { rateLimitKey } from '../../domain/identity/rate-limit-key.js'
import type { Rotation, RotationRequest } from '../../domain/identity/rotation.js'
import type {
  ActiveSession,
  KeyDigest,
  Lifetimes,
  PairId,
  Session,
  SessionKey,
} from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import type { SessionKeys } from '../../ports/session-keys.js'
import type { Sessions } from '../../ports/sessions.js'
import type { TokenSigner } from '../../ports/token-signer.js'
import type { ClientContext } from '../client-context.js'
import type { NextGeneration } from './open-session.js'

/** The cookie of a request, and its digest. */
export type PresentedCookie = { readonly key: SessionKey; readonly digest: KeyDigest }

/** The credentials with which a client asks for the next generation. */
export type Presentation = Pick<RotationRequest, 'confirmation'> & {
  readonly from: PairId
  readonly cookie: PresentedCookie | undefined
  readonly client: ClientContext | undefined
  readonly at: Instant
}

/** The parts needed to rotate a session. */
export type RotateSessionParts = {
  readonly tokens: TokenSigner
  readonly sessions: Sessions
  readonly sessionKeys: SessionKeys
  readonly nextGeneration: NextGeneration
  readonly lifetimes: Lifetimes
}

/** Asks the store for the next generation of a session. `nextKey` is the new key if the outcome is `rotated`. */
export async function rotateSession(
  parts: RotateSessionParts,
  { session }: ActiveSession,
  { from, cookie, client, at, confirmation }: Presentation,
): Promise<{ readonly rotation: Rotation; readonly nextKey: SessionKey }> {
  const { number } = session.current
  const held = cookie && currentKey(parts, session, cookie)
  const successor = held && parts.sessionKeys.successor(parts.tokens.currentKid, held, session.id, number + 1)
  const network = rateLimitKey(client?.address)
  // Without the right cookie the call cannot rotate the session, but a spent token must still end the session.
  const nextKey = successor ?? parts.sessionKeys.fresh()
  const rotation = await parts.sessions.rotate({
    sessionId: session.id,
    from,
    keyDigest: cookie?.digest,
    next: {
      ...parts.nextGeneration(number + 1, parts.sessionKeys.digest(nextKey), at, session.endsAt),
      ...(network !== undefined && { network }),
    },
    at,
    grace: parts.lifetimes.refreshGrace,
    ...(confirmation && { confirmation }),
    found: session,
  })
  return { rotation, nextKey }
}

/** Returns the current key of the session if the cookie contains this key or the previous key. */
export function currentKey(
  parts: Pick<RotateSessionParts, 'sessionKeys'>,
  session: Session,
  { key, digest }: PresentedCookie,
): SessionKey | undefined {
  const { current, previous } = session
  if (digest === current.keyDigest) return key
  if (digest !== previous?.keyDigest) return undefined
  const successor = parts.sessionKeys.successor(current.kid, key, session.id, current.number)
  return successor && parts.sessionKeys.digest(successor) === current.keyDigest ? successor : undefined
}
