import type { ApiKey } from '../../domain/access/api-key.js'
import type { MailJob } from '../../domain/mail.js'
import type { SecondFactor } from '../../domain/identity/second-factor.js'
import type { Store, StorePort } from '../../ports/store.js'
import { ACCOUNTS } from './account-shapes.js'
import { CATALOGUE_SHAPES } from './catalogue-shapes.js'
import { REVOCATIONS, SESSIONS } from './login-shapes.js'
import {
  absent,
  after,
  answers,
  array,
  count,
  howMany,
  list,
  must,
  number,
  object,
  optional,
  outcome,
  positive,
  text,
  word,
  type PortShape,
} from './shape.js'

/** Every port of a store of the caller's own. */
export const STORE_SHAPES: { readonly [Port in Exclude<StorePort, 'records'>]: PortShape<Store[Port]> } = {
  accounts: ACCOUNTS,
  sessions: SESSIONS,
  revocations: REVOCATIONS,
  pets: CATALOGUE_SHAPES.pets,
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
  projects: CATALOGUE_SHAPES.projects,
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
  audit: {
    port: 'AuditLog',
    functions: { append: 'unseen', page: list, forget: howMany, purge: howMany },
  },
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
      listTo: list,
      removeTo: howMany,
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
      renewRecovery: word('renewed', 'spent'),
      reseal: word('resealed', 'changed'),
      remove: word('removed', 'unknown'),
    },
  },
}
