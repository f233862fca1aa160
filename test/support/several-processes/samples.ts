import type { Role, RoleKey } from '../../../src/domain/access/role.js'
import type { PetDraft, PetName } from '../../../src/domain/catalogue/pet.js'
import type { AccountId, Epoch } from '../../../src/domain/identity/account.js'
import type { Email } from '../../../src/domain/identity/email.js'
import type { PasswordHash } from '../../../src/domain/identity/password.js'
import type {
  Generation,
  KeyDigest,
  PairId,
  Session,
  SessionId,
} from '../../../src/domain/identity/session.js'
import type { ResetDigest, IssuedResetToken } from '../../../src/domain/identity/reset-token.js'
import type { MailJob, MailJobId } from '../../../src/domain/mail.js'
import type { NewAccount, ResetConsumption } from '../../../src/ports/accounts.js'
import type { StatelessLogin } from '../../../src/ports/revocations.js'
import type { LoginRotationRequest } from '../../../src/domain/identity/login-rotation.js'
import type { RotationRequest } from '../../../src/domain/identity/rotation.js'

export const NOON = Date.UTC(2030, 0, 1, 12)
const DAY = 86_400_000

export function pet(name: string): PetDraft {
  return { name: name as PetName }
}

export function account(email: string): NewAccount {
  return { email: email as Email, passwordHash: 'a hash' as PasswordHash, createdAt: NOON }
}

export function role(key: string): Role {
  return { uuid: `uuid of ${key}`, key: key as RoleKey, label: `Label of ${key}` }
}

export function generation(id: string, number: number, branch = ''): Generation {
  return {
    number,
    pairId: `${id} pair ${number}${branch}` as PairId,
    kid: 'kid',
    issuedAt: NOON,
    keyDigest: `${id} key ${number}${branch}` as KeyDigest,
    idleEndsAt: NOON + 7 * DAY,
  }
}

export function session(id: string, accountId: AccountId): Session {
  return {
    id: id as SessionId,
    accountId,
    epoch: 1 as Epoch,
    createdAt: NOON,
    endsAt: NOON + 30 * DAY,
    current: generation(id, 1),
  }
}

/** A login in stateless mode, of an account in its first epoch. */
export function login(id: string, accountId: AccountId): StatelessLogin {
  return { sessionId: id as SessionId, accountId, epoch: 1 as Epoch }
}

/** A token that can reset the password of an account until shortly after `NOON`. */
export const RESET_TOKEN: IssuedResetToken = {
  digest: 'digest of a token' as ResetDigest,
  until: NOON + 1,
  mailJobId: 'mail' as MailJobId,
}

/** The redemption of that token by user@example.org. */
export function redemption(hash: string): ResetConsumption {
  const email = 'user@example.org' as Email
  return { email, digest: RESET_TOKEN.digest, at: NOON, hash: hash as PasswordHash }
}

export function mailJob(id: string): MailJob {
  const email = 'user@example.org' as Email
  return { id: id as MailJobId, kind: 'reset-password', email, askedAt: NOON, attempts: 0 }
}

/** A rotation from generation `number` to the next generation; `branch` distinguishes rival successors. */
export function rotation(id: string, number: number, branch = '', from = ''): RotationRequest {
  const { pairId, keyDigest } = generation(id, number, from)
  const next = generation(id, number + 1, branch)
  return { sessionId: id as SessionId, from: pairId, keyDigest, next, at: NOON, grace: 10_000 }
}

/** The first refresh of a login in stateless mode. */
export function loginRotation(
  id: string,
  change: Partial<LoginRotationRequest> = {},
  branch = '',
): LoginRotationRequest {
  const from = change.from ?? (`${id} first` as PairId)
  const next = { pairId: `${from} next${branch}` as PairId, kid: 'kid', issuedAt: NOON }
  const until = NOON + 30 * DAY
  return { sessionId: id as SessionId, from, next, at: NOON, grace: 10_000, until, ...change }
}
