import { ANONYMOUS } from '../../domain/access/caller.js'
import type { RoleKey } from '../../domain/access/role.js'
import type { Account } from '../../domain/identity/account.js'
import { withEnteredForm, type Email } from '../../domain/identity/email.js'
import { presentedPassword, type Password } from '../../domain/identity/password.js'
import { factorSecret, type FactorSecret, type ImportedSecret } from '../../domain/identity/second-factor.js'
import type { NewAccount } from '../../ports/accounts.js'
import type { PreviousAnswer } from '../../ports/callbacks.js'
import type { Log } from '../../ports/log.js'
import { disabledUntilFactor, type ImportFactorParts } from '../accounts/import-factor.js'
import { insertImported } from '../accounts/import-users.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import type { ClientContext } from '../client-context.js'
import type { GivenShared, LimitedPreviousAccounts } from '../shared-parts.js'
import { isBrokenPart } from '../wrap-port.js'

/** A login whose email has no account, or only an account from an interrupted import. */
type UnknownLogin = {
  readonly email: Email
  /** The email as entered. */
  readonly entered: Email
  readonly password: string
  readonly client: ClientContext | undefined
}

/**
 * Creates an account for a user of the previous system, with the password from this login. Resolves with the account that now has the
 * email. The caller must still verify the password, because a concurrent login may have created the account with a different password.
 * Resolves with `undefined` if the previous system rejects the login or does not answer.
 */
export type MoveAccount = (login: UnknownLogin) => Promise<Account | undefined>

export type MoveAccountParts = ImportFactorParts & GivenShared<['previousAccounts', 'hasher', 'audit', 'log']>

/** Returns `undefined` if there is no previous system. */
export function createMoveAccount(parts: MoveAccountParts): MoveAccount | undefined {
  const { previousAccounts, accounts, audit } = parts
  if (!previousAccounts) return undefined
  return async (login) => {
    const password = presentedPassword(login.password)
    if (password === undefined) return undefined
    const answer = await answerOf(previousAccounts, login, parts.log)
    if (answer.kind !== 'account') return undefined
    const secret = answer.totp && secretOf(answer.totp)
    const account = await newAccount(parts, { ...login, ...answer, password }, secret !== undefined)
    const insertion = await insertImported(parts, account, secret)
    if (insertion.kind === 'unknown-role')
      throw new Error(`PreviousAccounts.verify returned a role that does not exist: ${insertion.role}`)
    const moved = await accounts.findByEmail(login.email)
    if (moved && insertion.kind === 'inserted') await recordMove(audit, moved, login.client)
    return moved
  }
}

async function recordMove(
  audit: AuditTrail,
  { id: subject, roles }: Account,
  client: ClientContext | undefined,
): Promise<void> {
  const entry = { caller: ANONYMOUS, subject, client }
  await audit.record({ event: 'user.import', ...entry })
  for (const { key } of roles) await audit.record({ event: 'role.assign', what: `role:${key}`, ...entry })
}

/** An outage gets the same reply as a wrong password: a different reply would show that no account has the email. */
async function answerOf(
  previousAccounts: LimitedPreviousAccounts,
  { entered, password }: UnknownLogin,
  log: Log | undefined,
): Promise<PreviousAnswer> {
  try {
    return await previousAccounts.verify(entered, password)
  } catch (error) {
    // A malformed result is an error of the custom part and not an outage.
    if (isBrokenPart(error)) throw error
    log?.warn('the previous system failed; the login was refused', { detail: reasonOf(error, password) })
    return { kind: 'unknown' }
  }
}

/** Returns the names and codes of an error and its cause; their messages may contain the password or the email. */
function reasonOf(error: unknown, password: string): string {
  const { cause } = Object(error) as { cause?: unknown }
  const words = [error, cause].flatMap((one) => {
    const { name, code } = Object(one) as { name?: unknown; code?: unknown }
    return [name, code]
  })
  return words
    .filter((word) => typeof word === 'string' && /^\w{1,64}$/.test(word) && !word.includes(password))
    .join(' ')
}

type MovedUser = Omit<UnknownLogin, 'password'> & {
  readonly password: Password
  readonly roles?: readonly string[] | undefined
}

async function newAccount(
  { hasher, clock }: MoveAccountParts,
  { email, entered, password, roles = [] }: MovedUser,
  hasFactor: boolean,
): Promise<NewAccount> {
  const passwordHash = await hasher.hash(password)
  const createdAt = clock()
  return {
    ...withEnteredForm(email, entered),
    ...{ passwordHash, createdAt, roles: roles as readonly RoleKey[] },
    ...(hasFactor && { disabledAt: disabledUntilFactor(createdAt, false) }),
  }
}

function secretOf(totp: ImportedSecret): FactorSecret {
  const secret = factorSecret(totp)
  if (secret.ok) return secret.value
  throw new Error(`PreviousAccounts.verify returned an invalid second factor: ${secret.rule}`)
}
