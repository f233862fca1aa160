import {
  aGeneration,
  aLoginRotation,
  aMailJob,
  aNewAccount,
  aProof,
  aSession,
  NOW,
} from '../../../src/contracts/samples.js'
import type { Account, AccountId, Epoch } from '../../../src/domain/identity/account.js'
import type { Email } from '../../../src/domain/identity/email.js'
import type { LoginRotationRequest, RotationRequest } from '../../../src/domain/identity/rotation.js'
import type { Proof } from '../../../src/domain/identity/proof.js'
import type { Generation, PairId, Session, SessionId } from '../../../src/domain/identity/session.js'
import type { MailJob, MailJobId } from '../../../src/domain/mail.js'
import type { NewAccount } from '../../../src/ports/accounts.js'
import type { StatelessLogin } from '../../../src/ports/sessions.js'

// The contract tests' samples, with fixed IDs and emails, so that different processes can use the same records.
export { aPet as pet, aRole as role, NOW as NOON } from '../../../src/contracts/samples.js'

const USER = 'user@example.org' as Email

export function account(email: string): NewAccount {
  return { ...aNewAccount('user'), email: email as Email }
}

/** `branch` distinguishes competing generations with the same number. */
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

/** A proof that can reset the password of the first account, in this epoch, until shortly after `NOON`. */
export function resetProof(epoch: Epoch): Proof {
  return aProof('reset-password', 'reset', { accountId: 1 as AccountId, epoch, until: NOW + 1 })
}

export function mailJob(id: string): MailJob {
  return { ...aMailJob(id), id: id as MailJobId, email: USER }
}

/** A rotation from generation `number` to the next generation; `branch` distinguishes competing successors. */
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
