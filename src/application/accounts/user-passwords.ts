import { ANONYMOUS, type Caller } from '../../domain/access/caller.js'
import { shownEmail, type Account } from '../../domain/identity/account.js'
import { ASKED_BY_OPERATOR } from '../../domain/mail.js'
import { MUST_BE } from '../../domain/messages.js'
import { refuse, refuseField } from '../../domain/refusal.js'
import { within, type Limited } from '../access/within.js'
import { fields, flag, malformed, optional, text, that, type ObjectParser, type Parser } from '../fields.js'
import { clearAttempts } from '../identity/throttle.js'
import { operation } from '../operation.js'
import { pagesOf } from '../pages.js'
import { retryCalls } from '../retrying.js'
import type { GivenShared } from '../shared-parts.js'
import { affectedAccount, noSuchAccount } from './named-account.js'
import { assertEither, assertMayImport, type GivenPassword } from './passwords.js'

export const namedPassword = fields(
  { email: text, password: optional(text), anyLength: optional(flag), passwordHash: optional(text) },
  assertEither,
) as ObjectParser<{ readonly email: string } & GivenPassword>

/**
 * Sets the password of an account and ends all its sessions; afterwards no earlier credential is valid. Also clears the failed attempts
 * that are counted for the account (`clearAttempts`). Supplying a hash also requires `user: import`. Refuses the call with `malformed`
 * (both password and hash, or neither), `invalid` or `not-found`.
 */
export const setPassword = operation({
  permission: ['user-task', 'password'],
  input: namedPassword.with({ within }) as ObjectParser<
    { readonly email: string } & GivenPassword & Pick<Limited, 'within'>
  >,
  parts: ['accounts', 'assertWithin', 'hashNewPassword', 'attempts', 'digest', 'notices', 'audit'],
  run:
    (parts) =>
    async ({ caller, email, within, ...credential }) => {
      assertMayImport(parts.authorize, caller, credential)
      const account = await affectedAccount(parts, { caller, email, within })
      await setPasswordOf(parts, { caller, account, credential })
    },
})

async function setPasswordOf(
  parts: GivenShared<['accounts', 'attempts', 'digest', 'notices', 'audit', 'hashNewPassword']>,
  { caller, account, credential }: { caller: Caller; account: Account; credential: GivenPassword },
): Promise<void> {
  const hash = await parts.hashNewPassword(credential, account)
  if ((await parts.accounts.setPassword(account.id, hash)) === 'unknown') throw noSuchAccount()
  await parts.audit.record({ event: 'password.set', caller, subject: account.id })
  await clearAttempts(parts, account.email)
  await parts.notices?.send('password', { email: shownEmail(account) })
}

const PAGE = 100

/** Either a function that returns a password for each account, or one hash for all accounts. */
export type GivenPasswords =
  | {
      /** Returns the password for an account; all accounts may have the same password. */
      readonly password: (account: Account) => string
      readonly anyLength?: boolean | undefined
      readonly passwordHash?: undefined
    }
  | Extract<GivenPassword, { readonly passwordHash: string }>

type MakePassword = (account: Account) => string

const functionOf = that<(account: Account) => unknown>(
  MUST_BE.function,
  (value) => typeof value === 'function',
)

/** Wraps the caller's function to check its results. */
const passwordOf: Parser<MakePassword> = (value, field, errors) => {
  const make = functionOf(value, field, errors)
  return (account) => {
    const answer = answerOf(make, account)
    if (typeof answer === 'string') return answer
    // Prevents Node from reporting an unhandled rejection if the promise rejects.
    if (answer instanceof Promise) answer.catch(() => undefined)
    throw malformed('password', 'must return a string')
  }
}

function answerOf(make: (account: Account) => unknown, account: Account): unknown {
  try {
    return make(account)
  } catch (error) {
    throw malformed('password', 'must not throw', error)
  }
}

/**
 * Sets every account's password, hashed with a separate salt for each account, and ends all sessions of these accounts. A hash also
 * requires the permission `user: import`. Refuses the call with `malformed` or `invalid`. A password that is forbidden for every account is
 * refused before anything changes. A password that is too similar to the email of an account is refused only when the operation reaches
 * this account; the accounts before it already have new passwords.
 */
export const setAllPasswords = operation({
  permission: ['user-task', 'password'],
  input: fields(
    { password: optional(passwordOf), anyLength: optional(flag), passwordHash: optional(text) },
    assertEither,
  ) as ObjectParser<GivenPasswords>,
  parts: ['accounts', 'hashNewPassword', 'attempts', 'digest', 'notices', 'audit', 'retrying'],
  optional: ['retrying'],
  run: (parts) => {
    const accounts = retryCalls(parts.accounts, parts.retrying)
    const attempts = retryCalls(parts.attempts, parts.retrying)
    return async ({ caller, ...all }) => {
      assertMayImport(parts.authorize, caller, all)
      let matched = 0
      const pages = pagesOf(PAGE, (last: Account | undefined) => accounts.page(last?.id, PAGE))
      for await (const page of pages)
        for (const account of page) {
          const credential = { ...all, password: all.password?.(account) } as GivenPassword
          await setPasswordOf({ ...parts, accounts, attempts }, { caller, account, credential })
          matched += 1
        }
      return { matched, save: matched }
    }
  },
})

const NOT_SET_UP =
  'Password resets are not set up: permit "auth: reset-password" for the role everyone, and set MAIL_URL.'

/**
 * Queues the `requestPasswordReset` email for an account's owner. The rate limits of `requestPasswordReset` do not apply, and this call does
 * not count toward them. Refuses the call with `invalid`, `not-found`, `conflict` (the account is disabled, or users cannot reset passwords)
 * or `overloaded` (too many emails are queued).
 */
export const sendResetMail = operation({
  permission: ['user', 'reset-mail'],
  input: fields({ email: text, within }),
  parts: ['accounts', 'assertWithin', 'permissions', 'queueMail', 'proofs', 'audit'],
  run:
    ({ permissions, queueMail, audit, ...parts }) =>
    async (call) => {
      const { id, email, disabledAt } = await affectedAccount(parts, call)
      // The configuration requires a mail server if this action is permitted.
      if (!permissions.allows(ANONYMOUS, 'auth', 'reset-password'))
        throw refuse('conflict', 'Conflict', NOT_SET_UP)
      if (disabledAt !== undefined)
        throw refuseField('conflict', 'email', 'Conflict', 'The account is disabled.')
      await queueMail('reset-password', email, undefined, { about: ASKED_BY_OPERATOR })
      await audit.record({ event: 'reset.ask', caller: call.caller, subject: id })
    },
})
