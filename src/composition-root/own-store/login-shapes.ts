import type { LoginPairs } from '../../domain/identity/login-rotation.js'
import type { RotationRequest } from '../../domain/identity/rotation.js'
import { isFoundBy, type ActiveSession, type KeyDigest, type Session } from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import type { Revocations } from '../../ports/revocations.js'
import type { Sessions } from '../../ports/sessions.js'
import { accountFlaw } from './account-shapes.js'
import {
  absent,
  after,
  answers,
  asked,
  count,
  howMany,
  list,
  must,
  number,
  object,
  oneOf,
  optional,
  positive,
  text,
  trueOrFalse,
  word,
  type Flaw,
  type PortShape,
  type Shape,
} from './shape.js'

/** A session that is not active must be absent: no use case looks again whether it is. */
function activeFlaw({ session, account, actorRoles }: ActiveSession, at: unknown): Flaw | undefined {
  return (
    object(session, 'session') ??
    object(account, 'account') ??
    object(session.current, 'session.current') ??
    accountFlaw(account, 'account.') ??
    absent(account.disabledAt, 'account.disabledAt') ??
    must(account.id === session.accountId, 'account.id', 'is not that of the session') ??
    must(account.epoch === session.epoch, 'account.epoch', 'is not that of the session') ??
    after(at, session.endsAt, 'session.endsAt') ??
    after(at, session.current.idleEndsAt, 'session.current.idleEndsAt') ??
    must(
      (session.actor === undefined) === (actorRoles === undefined),
      'actorRoles',
      'is not there with an actor, and only then',
    )
  )
}

/** What became of a refresh, with the session where it lives on. */
const rotation: Shape = (answer, _, [request]) => {
  const { kind, session } = answer as { kind: string; session: Session }
  if (kind !== 'rotated' && kind !== 'superseded') return ROTATION_KINDS(kind, 'kind', [])
  return (
    object(session, 'session') ??
    object(session.current, 'session.current') ??
    positive(session.current.number, 'session.current.number') ??
    asked((request as RotationRequest).sessionId, session.id, 'session.id')
  )
}
const ROTATION_KINDS = oneOf('rotated', 'superseded', 'replayed', 'mismatched', 'unknown')

/** What became of a refresh without a session, with the pairs of the login where it lives on. */
const loginRotation: Shape = (answer) => {
  const { kind, pairs } = answer as { kind: string; pairs: LoginPairs }
  if (kind !== 'rotated' && kind !== 'superseded') return LOGIN_ROTATION_KINDS(kind, 'kind', [])
  return (
    object(pairs, 'pairs') ??
    object(pairs.current, 'pairs.current') ??
    text(pairs.current.pairId, 'pairs.current.pairId') ??
    text(pairs.current.kid, 'pairs.current.kid') ??
    number(pairs.current.issuedAt, 'pairs.current.issuedAt')
  )
}
const LOGIN_ROTATION_KINDS = oneOf('rotated', 'superseded', 'replayed', 'revoked')

/** Login sessions of the caller's own. */
export const SESSIONS: PortShape<Sessions> = {
  port: 'Sessions',
  functions: {
    open: 'unseen',
    openWithLimit: howMany,
    find: answers(
      'the active session of this key with its account, or undefined',
      optional((answer, _, [key, at]) => {
        const active = answer as ActiveSession
        return (
          activeFlaw(active, at) ??
          must(
            isFoundBy(active.session, key as KeyDigest, at as Instant),
            'session',
            'is not found by this key',
          )
        )
      }),
    ),
    findById: answers(
      'the active session of this id with its account, or undefined',
      optional((answer, _, [id, at]) => {
        const active = answer as ActiveSession
        return activeFlaw(active, at) ?? asked(id, active.session.id, 'session.id')
      }),
    ),
    pageOf: list,
    rotate: answers(
      'what became of the session: rotated or superseded, with the session, replayed, mismatched or unknown',
      rotation,
    ),
    end: word('ended', 'unknown'),
    endOne: word('ended', 'unknown'),
    endOthers: howMany,
    endAllOf: answers('how many sessions there were, or undefined', optional(count)),
    purge: howMany,
  },
}

/** Logins of stateless mode of the caller's own. */
export const REVOCATIONS: PortShape<Revocations> = {
  port: 'Revocations',
  functions: {
    isRevoked: trueOrFalse,
    rotate: answers(
      'what became of the login: rotated or superseded, with its pairs, replayed or revoked',
      loginRotation,
    ),
    revoke: word('revoked', 'unchanged'),
    purge: howMany,
  },
}
