import {
  aConsumption,
  aGeneration,
  aLoginRotation,
  aMailJob,
  anIssuedResetToken,
  aNewAccount,
  aSession,
  NOW,
} from '../../../src/contracts/samples.js'
import type { Account, AccountId, Epoch } from '../../../src/domain/identity/account.js'
import type { Email } from '../../../src/domain/identity/email.js'
import type { LoginRotationRequest } from '../../../src/domain/identity/login-rotation.js'
import type { PasswordHash } from '../../../src/domain/identity/password.js'
import type { RotationRequest } from '../../../src/domain/identity/rotation.js'
import type { Generation, PairId, Session, SessionId } from '../../../src/domain/identity/session.js'
import type { MailJob, MailJobId } from '../../../src/domain/mail.js'
import type { NewAccount, ResetConsumption } from '../../../src/ports/accounts.js'
import type { StatelessLogin } from '../../../src/ports/revocations.js'

// The samples of the laws, with IDs and emails that other processes and files can name.
export { aPet as pet, aRole as role, NOW as NOON } from '../../../src/contracts/samples.js'

const USER = 'user@example.org' as Email

export function account(email: string): NewAccount {
  return { ...aNewAccount('user'), email: email as Email }
}

/** `branch` distinguishes rival generations of one number. */
export function generation(id: string, number: number, branch = ''): Generation {
  return aGeneration(`${id}${branch}`, number)
}

export function session(id: string, accountId: AccountId): Session {
  return { ...aSession({ id: accountId, epoch: 1 } as Account, id), id: id as SessionId }
}

/** A login in stateless mode, of an account in its first epoch. */
export function login(id: string, accountId: AccountId): StatelessLogin {
  return { sessionId: id as SessionId, accountId, epoch: 1 as Epoch }
}

/** A token that can reset the password of an account until shortly after `NOON`. */
export const RESET_TOKEN = anIssuedResetToken('of a test', NOW + 1)

/** The redemption of that token by user@example.org. */
export function redemption(hash: string): ResetConsumption {
  return aConsumption({ email: USER }, RESET_TOKEN, { at: NOW, hash: hash as PasswordHash })
}

export function mailJob(id: string): MailJob {
  return { ...aMailJob(id), id: id as MailJobId, email: USER }
}

/** A rotation from generation `number` to the next generation; `branch` distinguishes rival successors. */
export function rotation(id: string, number: number, branch = '', from = ''): RotationRequest {
  const { pairId, keyDigest } = generation(id, number, from)
  const next = generation(id, number + 1, branch)
  return { sessionId: id as SessionId, from: pairId, keyDigest, next, at: NOW, grace: 10_000 }
}

/** The first refresh of a login in stateless mode. */
export function loginRotation(
  id: string,
  change: Partial<LoginRotationRequest> = {},
  branch = '',
): LoginRotationRequest {
  const from = change.from ?? (`${id} first` as PairId)
  const next = { pairId: `${from} next${branch}` as PairId, kid: 'kid', issuedAt: NOW }
  return aLoginRotation({ sessionId: id as SessionId }, { from, next, at: NOW, ...change })
}
