import type { Account } from '../../domain/identity/account.js'
import type { Passkey } from '../../domain/identity/passkey.js'
import type { Proof } from '../../domain/identity/proof.js'
import type { LoginPairs, RotationRequest } from '../../domain/identity/rotation.js'
import { isFoundBy, type ActiveSession, type KeyDigest, type Session } from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import { answers, maybe, type Outcome, type WithTag } from './call.js'
import * as is from './shapes.js'

/** Checks results that contain an account or a login, so that a broken store cannot log a user in as another user. */
export function accountWith(member: 'id' | 'email'): Outcome {
  return maybe(`the account with this ${member}`, (answer, _, [wanted, former]) => {
    const account = answer as Account
    // A lookup by email may also find an account that shares the canonical email, or whose email has the form of an earlier release.
    const isOther = member === 'email' && (account.sharedEmail === wanted || account.email === former)
    return accountFlaw(account) ?? (isOther ? undefined : is.asked(wanted, account[member], member))
  })
}

function accountFlaw({ id, email, epoch, roles }: Account, prefix = ''): is.Flaw | undefined {
  const flaw =
    is.positive(id, 'id') ??
    is.text(email, 'email') ??
    is.positive(epoch, 'epoch') ??
    is.array(roles, 'roles')
  return flaw && { ...flaw, member: `${prefix}${flaw.member}` }
}

export const SESSION_OF_KEY = maybe(
  'the active session with this key, together with its account',
  (answer, _, [key, at]) => {
    const active = answer as ActiveSession
    const isFound = () => isFoundBy(active.session, key as KeyDigest, at as Instant)
    return activeFlaw(active, at) ?? is.flawUnless(isFound(), 'session', 'is not found by this key')
  },
)

export const SESSION_OF_ID = maybe(
  'the active session with this id, together with its account',
  (answer, _, [id, at]) => {
    const active = answer as ActiveSession
    return activeFlaw(active, at) ?? is.asked(id, active.session.id, 'session.id')
  },
)

/** Stores must not return inactive sessions, because no use case checks the sessions again. */
function activeFlaw({ session, account, actorRoles }: ActiveSession, at: unknown): is.Flaw | undefined {
  return (
    is.object(session, 'session') ??
    is.object(account, 'account') ??
    is.object(session.current, 'session.current') ??
    accountFlaw(account, 'account.') ??
    is.absent(account.disabledAt, 'account.disabledAt') ??
    is.flawUnless(account.id === session.accountId, 'account.id', 'differs from the session') ??
    is.flawUnless(account.epoch === session.epoch, 'account.epoch', 'differs from the session') ??
    is.after(at, session.endsAt, 'session.endsAt') ??
    is.after(at, session.current.idleEndsAt, 'session.current.idleEndsAt') ??
    is.flawUnless(
      (session.actor === undefined) === (actorRoles === undefined),
      'actorRoles',
      'is missing although there is an actor, or present although there is no actor',
    )
  )
}

export const ROTATION = rotationOutcome(
  'the result for the session: either rotated or superseded (both with the session), or replayed, mismatched or unknown',
  ['rotated', 'superseded', 'replayed', 'mismatched', 'unknown'],
  (answer, _, [request]) => {
    const { session } = answer as { session: Session }
    return (
      is.object(session, 'session') ??
      is.object(session.current, 'session.current') ??
      is.positive(session.current.number, 'session.current.number') ??
      is.asked((request as RotationRequest).sessionId, session.id, 'session.id')
    )
  },
)

export const LOGIN_ROTATION = rotationOutcome(
  "the result for the login: either rotated or superseded (both with the login's pairs), or replayed or revoked",
  ['rotated', 'superseded', 'replayed', 'revoked'],
  (answer) => {
    const { pairs } = answer as { pairs: LoginPairs }
    return (
      is.object(pairs, 'pairs') ??
      is.object(pairs.current, 'pairs.current') ??
      is.text(pairs.current.pairId, 'pairs.current.pairId') ??
      is.text(pairs.current.kid, 'pairs.current.kid') ??
      is.number(pairs.current.issuedAt, 'pairs.current.issuedAt')
    )
  },
)

/** `continued` checks the results `rotated` and `superseded`, which let the login continue. */
function rotationOutcome<const Kind extends string>(
  law: string,
  kinds: readonly Kind[],
  continued: is.Shape,
) {
  const isKind = is.oneOf(...kinds)
  const shape: is.Shape = (answer, member, args) => {
    const { kind } = answer as { kind: string }
    return kind === 'rotated' || kind === 'superseded'
      ? continued(answer, member, args)
      : isKind(kind, 'kind', args)
  }
  const outcome: Outcome & WithTag<Kind> = answers(law, shape)
  return outcome
}

export const FACTOR = maybe('the second factor of this account', {
  sealedSecret: is.text,
  recoveryLeft: is.count,
})

export const PASSKEY = maybe(
  'the passkey with this id, with its account and its public key',
  (answer, _, [id]) => {
    const { id: found, accountId, publicKey } = answer as Passkey
    return is.asked(id, found, 'id') ?? is.positive(accountId, 'accountId') ?? is.text(publicKey, 'publicKey')
  },
)

export const PROOF_OF_DIGEST = maybe('the proof with this digest', (answer, _, [use]) =>
  is.asked((use as Proof).digest, (answer as Proof).digest, 'digest'),
)
export const PROOF_OF_BINDING = maybe('the proof with this binding', (answer, _, [binding]) =>
  is.asked(binding, (answer as Proof).binding, 'binding'),
)
/** The argument is the ID of the proof, or an object with this ID. */
export const PROOF_OF_ID = maybe('the proof with this id', (answer, _, [named]) =>
  is.asked(typeof named === 'string' ? named : (named as Proof).id, (answer as Proof).id, 'id'),
)
export const ID_OR_SPENT = answers('the id of the account or spent', (answer, member) =>
  answer === 'spent' ? undefined : is.positive(answer, member),
)
