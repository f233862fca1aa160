import type { ApiKey } from '../../domain/access/api-key.js'
import type { PetPage } from '../../domain/catalogue/page.js'
import type { Pet, PetId } from '../../domain/catalogue/pet.js'
import type { Account } from '../../domain/identity/account.js'
import type { RotationRequest } from '../../domain/identity/rotation.js'
import { isFoundBy, type ActiveSession, type KeyDigest, type Session } from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import type { MailJob } from '../../domain/mail.js'
import type { Project } from '../../domain/project/project.js'
import type { SecondFactor } from '../../domain/identity/second-factor.js'
import type { Store, StorePort } from '../../ports/store.js'
import {
  absent,
  after,
  answers,
  array,
  asked,
  count,
  howMany,
  list,
  must,
  number,
  object,
  oneOf,
  optional,
  outcome,
  positive,
  text,
  trueOrFalse,
  word,
  type Answer,
  type Flaw,
  type PortShape,
  type Shape,
} from './shape.js'

function accountFlaw({ id, email, epoch, roles }: Account, prefix = ''): Flaw | undefined {
  const flaw = positive(id, 'id') ?? text(email, 'email') ?? positive(epoch, 'epoch') ?? array(roles, 'roles')
  return flaw && { ...flaw, member: `${prefix}${flaw.member}` }
}

/** With the wrong account a user would be logged in as another one. */
function accountWith(member: 'id' | 'email'): Answer<false> {
  return answers(
    `the account with this ${member}, or undefined`,
    optional((answer, _, [wanted]) => {
      const account = answer as Account
      return accountFlaw(account) ?? asked(wanted, account[member], member)
    }),
  )
}

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

/** Every port of a store of the caller's own. */
export const STORE_SHAPES: { readonly [Port in Exclude<StorePort, 'records'>]: PortShape<Store[Port]> } = {
  accounts: {
    port: 'Accounts',
    functions: {
      insert: outcome('inserted', 'duplicate-email', 'unknown-role'),
      findByEmail: accountWith('email'),
      find: accountWith('id'),
      page: list,
      search: list,
      replaceHash: word('replaced', 'changed'),
      setPassword: word('set', 'unknown'),
      changePassword: answers('the new epoch, or undefined', optional(positive)),
      setDisabled: word('set', 'unchanged', 'unknown'),
      issueResetToken: word('issued', 'changed'),
      holdsResetToken: trueOrFalse,
      consumeResetToken: answers('the id of the account, or undefined', optional(positive)),
      remove: word('removed', 'unknown'),
    },
  },
  sessions: {
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
  },
  pets: {
    port: 'Pets',
    functions: {
      insert: outcome('inserted', 'repeated', 'key-reused'),
      find: answers(
        'the pet with this id, or undefined',
        optional((answer, _, [id]) => asked(id, (answer as Pet).id, 'id')),
      ),
      findMany: answers('those of these pets that are there, ascending', (answer, member, [ids]) => {
        const found = answer as readonly Pet[]
        const isRight = ({ id }: Pet, at: number) =>
          (ids as PetId[]).includes(id) && id > (found[at - 1]?.id ?? 0)
        return array(answer, member) ?? must(found.every(isRight), 'id', 'is not asked for, or not ascending')
      }),
      page: answers('a page with at most as many pets as it is asked for', (answer, _, [, limit]) => {
        const { pets } = answer as PetPage
        return (
          array(pets, 'pets') ?? must(pets.length <= (limit as number), 'pets', 'has more than asked for')
        )
      }),
      patch: outcome('patched', 'stale', 'unknown'),
      purgeIdempotencyKeys: howMany,
    },
  },
  roles: {
    port: 'Roles',
    functions: {
      insert: word('inserted', 'duplicate-key'),
      list,
      assign: word('assigned', 'already-assigned', 'unknown-account', 'unknown-role'),
      unassign: word('unassigned', 'not-assigned', 'unknown-account', 'unknown-role'),
    },
  },
  apiKeys: {
    port: 'ApiKeys',
    functions: {
      insert: outcome('inserted', 'unknown-role'),
      find: answers(
        'a key that is neither revoked nor expired, with its roles, or undefined',
        optional((answer, _, [, at]) => {
          const { id, roles, revokedAt, expiresAt } = answer as ApiKey
          return (
            positive(id, 'id') ??
            array(roles, 'roles') ??
            absent(revokedAt, 'revokedAt') ??
            (expiresAt === undefined ? undefined : after(at, expiresAt, 'expiresAt'))
          )
        }),
      ),
      page: list,
      recordUse: 'unseen',
      revoke: word('revoked', 'already-revoked', 'unknown'),
    },
  },
  projects: {
    port: 'Projects',
    functions: { insert: answers('the project', (answer) => positive((answer as Project).id, 'id')) },
  },
  revocations: {
    port: 'Revocations',
    functions: { isRevoked: trueOrFalse, revoke: word('revoked', 'unchanged'), purge: howMany },
  },
  attempts: {
    port: 'AttemptLimiter',
    functions: {
      take: answers('taken with the attempt, or refused with the time until which it is', (answer) => {
        const { kind, attempt, until } = answer as Readonly<Record<string, unknown>>
        if (kind === 'taken') return object(attempt, 'attempt')
        return must(kind === 'refused', 'kind', 'is not taken or refused') ?? number(until, 'until')
      }),
      refund: 'unseen',
      purge: howMany,
    },
  },
  audit: { port: 'AuditLog', functions: { append: 'unseen', page: list, purge: howMany } },
  mailQueue: {
    port: 'MailQueue',
    functions: {
      enqueue: word('queued', 'full'),
      claim: answers(
        'a job, or undefined',
        optional((answer) => text((answer as MailJob).id, 'id')),
      ),
      waiting: list,
      discard: list,
      remove: 'unseen',
      postpone: 'unseen',
    },
  },
  secondFactors: {
    port: 'SecondFactors',
    functions: {
      begin: word('begun', 'active', 'unknown-account'),
      activate: word('activated', 'changed'),
      find: answers(
        'the second factor of this account, or undefined',
        optional((answer) => {
          const { sealedSecret, recoveryLeft } = answer as SecondFactor
          return text(sealedSecret, 'sealedSecret') ?? count(recoveryLeft, 'recoveryLeft')
        }),
      ),
      takeStep: word('taken', 'spent'),
      takeRecovery: word('taken', 'unknown'),
      reseal: word('resealed', 'changed'),
      remove: word('removed', 'unknown'),
    },
  },
}
