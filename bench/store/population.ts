import { hash } from 'node:crypto'
import { createTimeOrderedIds, type Instant } from '../../src/domain/instant.js'
import type { RoleKey } from '../../src/domain/access/role.js'
import type { AuditRecord, AuditRecordId } from '../../src/domain/audit.js'
import type { Pet } from '../../src/domain/catalogue/pet.js'
import type { AccountId, Epoch } from '../../src/domain/identity/account.js'
import type { Email } from '../../src/domain/identity/email.js'
import type { PasswordHash } from '../../src/domain/identity/password.js'
import type {
  KeyDigest,
  Lifetimes,
  PairId,
  Session,
  SessionId,
  SessionKey,
} from '../../src/domain/identity/session.js'
import type { RecordOf } from '../../src/ports/copyable-records.js'

/** The number of records in a store. */
export type Size = {
  readonly pets: number
  readonly accounts: number
  readonly sessions: number
  readonly auditRecords: number
}

/**
 * Determines all records of a store. The same index always gives the same record, so records can be recomputed later.
 */
export type Population = {
  readonly size: Size
  readonly madeAt: Instant
  /** The ID of the key that signs tokens for the store's sessions. */
  readonly kid: string
  readonly lifetimes: Lifetimes
  /** The password hash of every account. */
  readonly passwordHash: PasswordHash
}

export const ROLE = 'editor' as RoleKey

/** Returns the size with every number multiplied by this factor. */
export function partOf({ pets, accounts, sessions, auditRecords }: Size, part: number): Size {
  const of = (count: number) => Math.ceil(count * part)
  return { pets: of(pets), accounts: of(accounts), sessions: of(sessions), auditRecords: of(auditRecords) }
}

/** Every email has the same length, so that every reply has the same length. */
export function emailOf(index: number): Email {
  return `user-${10_000_000 + index}@kennel.example` as Email
}

export function accountOf({ madeAt, passwordHash }: Population, index: number): RecordOf['account'] {
  return {
    ...{ id: accountIdOf(index), email: emailOf(index), passwordHash },
    ...{ epoch: 1 as Epoch, createdAt: madeAt, roles: [ROLE] },
  }
}

/**
 * Returns a session like those that logins open, for each account in turn; lookup keys are spread over the whole index.
 */
export function sessionOf({ size, madeAt, kid, lifetimes }: Population, index: number): Session {
  return {
    id: randomText(`session ${index}`, 22) as SessionId,
    accountId: accountIdOf(index % size.accounts),
    epoch: 1 as Epoch,
    createdAt: madeAt,
    endsAt: madeAt + lifetimes.session,
    current: {
      number: 1,
      pairId: randomText(`pair ${index}`, 22) as PairId,
      kid,
      issuedAt: madeAt,
      keyDigest: hash('sha256', sessionKeyOf(index), 'base64url') as KeyDigest,
      idleEndsAt: madeAt + lifetimes.refreshToken,
    },
  }
}

/** The value of a session cookie. */
export function sessionKeyOf(index: number): SessionKey {
  return randomText(`key ${index}`, 43) as SessionKey
}

export function petOf(index: number): Pet {
  const id = index + 1
  return {
    id,
    name: `Pet number ${id}`,
    ...(id % 2 === 0 && { tag: 'indoor' }),
    ...(id % 4 < 3 && { category: ['One', 'Two', 'Three'][id % 4] }),
    revision: 1,
    ...(id % 5 === 0 && { traits: { kind: 'cat', age: id % 20, hunts: true } }),
  } as Pet
}

/** Creates records of logins, one per second; the last login is at the current time. */
export function auditRecordMaker({ size, madeAt }: Population): (index: number) => AuditRecord {
  const ids = createTimeOrderedIds({
    randomness: { base64url: (bytes) => randomText(`record ${bytes}`, Math.ceil((bytes * 4) / 3)) },
  })
  return (index) => {
    const at = madeAt - (size.auditRecords - index) * 1000
    const account = accountIdOf(index % size.accounts)
    return {
      ...{ id: ids(at) as AuditRecordId, at, event: 'login', outcome: 'success', accounts: [account] },
      ...{ actor: `account:${account}`, subject: `account:${account}` },
      ...{ address: '192.0.2.1', requestId: 'bench-bench-bench' },
    }
  }
}

function accountIdOf(index: number): AccountId {
  return (index + 1) as AccountId
}

/** The result looks like random bytes, but depends only on the name. */
function randomText(name: string, length: number): string {
  return hash('sha256', name, 'base64url').slice(0, length)
}
