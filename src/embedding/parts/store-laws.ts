import type { Account } from '../../domain/identity/account.js'
import type { ActiveSession } from '../../domain/identity/session.js'
import type { Log } from '../../ports/log.js'
import type { RotationRequest } from '../../domain/identity/rotation.js'
import type { Store } from '../../ports/store.js'
import { watched, type Law, type Watch } from './law.js'

type StorePorts = Omit<Store, 'records' | 'ready' | 'close'>

const isId = (value: unknown) => Number.isSafeInteger(value) && (value as number) > 0
const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0

function outcome(...words: readonly string[]): Law {
  return { law: words.join(' or '), holds: (answer) => words.some((word) => word === answer) }
}

function kinds(...words: readonly string[]): Law {
  const kindOf = (answer: unknown) => (answer as { kind: unknown }).kind
  return {
    law: `an outcome of the kind ${words.join(' or ')}`,
    holds: (answer) => words.some((word) => word === kindOf(answer)),
  }
}

const LIST: Law = { law: 'an array', holds: Array.isArray }
const COUNT: Law = { law: 'how many there were', holds: isCount }
const TRUTH: Law = { law: 'true or false', holds: (answer) => typeof answer === 'boolean' }

function isAccount(value: unknown): value is Account {
  const { id, email, epoch, roles } = value as Readonly<Record<string, unknown>>
  return isId(id) && typeof email === 'string' && isId(epoch) && Array.isArray(roles)
}

/** Whoever is handed the wrong account is logged in as somebody else. */
function accountWith(member: 'id' | 'email'): Law {
  return {
    law: `the account with this ${member}, or undefined`,
    holds: (answer, [asked]) => answer === undefined || (isAccount(answer) && answer[member] === asked),
  }
}

/** A session that is not active must be absent: nobody looks again whether it is. */
function isActive(answer: unknown, at: unknown): answer is ActiveSession {
  const { session, account, actorRoles } = answer as ActiveSession
  const { current, endsAt } = session
  return (
    isAccount(account) &&
    account.id === session.accountId &&
    account.epoch === session.epoch &&
    account.disabledAt === undefined &&
    (session.actor === undefined) === (actorRoles === undefined) &&
    Math.min(endsAt, current.idleEndsAt) > (at as number)
  )
}

const SESSION_LAWS: Watch<Store['sessions']> = {
  port: 'Sessions',
  laws: {
    open: 'unseen',
    find: {
      law: 'the active session of this key with its account, or undefined',
      holds: (answer, [digest, at]) => {
        if (answer === undefined) return true
        if (!isActive(answer, at)) return false
        const { current, previous } = answer.session
        return digest === current.keyDigest || digest === previous?.keyDigest
      },
    },
    findById: {
      law: 'the active session of this id with its account, or undefined',
      holds: (answer, [id, at]) => answer === undefined || (isActive(answer, at) && answer.session.id === id),
    },
    pageOf: LIST,
    rotate: {
      law: 'what became of the session: rotated or superseded, with the session, replayed, mismatched or unknown',
      holds: (answer, [request]) => {
        const { kind, session } = answer as { kind: string; session: ActiveSession['session'] }
        if (kind === 'rotated' || kind === 'superseded')
          return session.id === (request as RotationRequest).sessionId && isId(session.current.number)
        return ['replayed', 'mismatched', 'unknown'].includes(kind)
      },
    },
    end: outcome('ended', 'unknown'),
    endAllOf: {
      law: 'how many sessions there were, or undefined',
      holds: (answer) => answer === undefined || COUNT.holds(answer, []),
    },
    purge: COUNT,
  },
}

const ACCOUNT_LAWS: Watch<Store['accounts']> = {
  port: 'Accounts',
  laws: {
    insert: kinds('inserted', 'duplicate-email', 'unknown-role'),
    findByEmail: accountWith('email'),
    find: accountWith('id'),
    page: LIST,
    replaceHash: outcome('replaced', 'changed'),
    setPassword: outcome('set', 'unknown'),
    setDisabled: outcome('set', 'unchanged', 'unknown'),
    issueResetToken: outcome('issued', 'changed'),
    holdsResetToken: TRUTH,
    consumeResetToken: {
      law: 'the id of the account, or undefined',
      holds: (answer) => answer === undefined || isId(answer),
    },
    remove: outcome('removed', 'unknown'),
  },
}

/** Every port of a store: what it must be able to do, and what is seen of its laws. */
export const STORE_LAWS: { readonly [Port in keyof StorePorts]: Watch<StorePorts[Port]> } = {
  accounts: ACCOUNT_LAWS,
  sessions: SESSION_LAWS,
  pets: {
    port: 'Pets',
    laws: {
      insert: kinds('inserted', 'repeated', 'key-reused'),
      find: {
        law: 'the pet with this id, or undefined',
        holds: (answer, [id]) => answer === undefined || (answer as { id: unknown }).id === id,
      },
      findMany: {
        law: 'those of these pets that are there, ascending',
        holds: (answer, [ids]) => {
          const found = (answer as { id: number }[]).map(({ id }) => id)
          return found.every((id, at) => (ids as number[]).includes(id) && id > (found[at - 1] ?? 0))
        },
      },
      page: {
        law: 'a page with at most as many pets as it is asked for',
        holds: (answer, [, limit]) => (answer as { pets: unknown[] }).pets.length <= (limit as number),
      },
      patch: kinds('patched', 'stale', 'unknown'),
      purgeIdempotencyKeys: COUNT,
    },
  },
  roles: {
    port: 'Roles',
    laws: {
      insert: outcome('inserted', 'duplicate-key'),
      list: LIST,
      assign: outcome('assigned', 'already-assigned', 'unknown-account', 'unknown-role'),
      unassign: outcome('unassigned', 'not-assigned', 'unknown-account', 'unknown-role'),
    },
  },
  apiKeys: {
    port: 'ApiKeys',
    laws: {
      insert: kinds('inserted', 'unknown-role'),
      find: {
        law: 'a key that is not revoked, with its roles, or undefined',
        holds: (answer) => {
          if (answer === undefined) return true
          const { id, roles, revokedAt } = answer as Readonly<Record<string, unknown>>
          return isId(id) && Array.isArray(roles) && revokedAt === undefined
        },
      },
      list: LIST,
      revoke: outcome('revoked', 'already-revoked', 'unknown'),
    },
  },
  projects: {
    port: 'Projects',
    laws: { insert: { law: 'the project', holds: (answer) => isId((answer as { id: unknown }).id) } },
  },
  revocations: {
    port: 'Revocations',
    laws: { isRevoked: TRUTH, revoke: outcome('revoked', 'unchanged'), purge: COUNT },
  },
  attempts: {
    port: 'AttemptLimiter',
    laws: {
      take: {
        law: 'taken with the attempt, or refused with the time until which it is',
        holds: (answer) => {
          const { kind, attempt, until } = answer as Readonly<Record<string, unknown>>
          return kind === 'taken'
            ? typeof attempt === 'object' && attempt !== null
            : kind === 'refused' && Number.isFinite(until)
        },
      },
      refund: 'unseen',
      purge: COUNT,
    },
  },
  audit: { port: 'AuditLog', laws: { append: 'unseen', page: LIST, purge: COUNT } },
  mailQueue: {
    port: 'MailQueue',
    laws: {
      enqueue: outcome('queued', 'full'),
      claim: {
        law: 'a job, or undefined',
        holds: (answer) => answer === undefined || typeof (answer as { id: unknown }).id === 'string',
      },
      waiting: LIST,
      discard: LIST,
      remove: 'unseen',
      postpone: 'unseen',
    },
  },
}

/** The caller's own store, which is told where it breaks a law that can be seen. */
export function watchedStore(store: Store, log: Log): Store {
  const ports = Object.entries<Watch<object>>(STORE_LAWS).map(([name, watch]) => [
    name,
    watched<object>(store[name as keyof StorePorts], watch, log),
  ])
  return {
    ...(Object.fromEntries(ports) as StorePorts),
    ready: () => store.ready(),
    close: () => store.close(),
  }
}
