import type { Account, AccountId } from '../../domain/identity/account.js'
import { email, formerEmail } from '../../domain/identity/email.js'
import { accepted, type Parsed, positiveIntegerIn } from '../../domain/parsed.js'
import { refuseField, type Refusal } from '../../domain/refusal.js'
import type { Accounts } from '../../ports/accounts.js'
import type { AssertWithin, Limited } from '../access/within.js'
import { parseFields } from '../fields.js'

/** Resolves with the account for an email or account ID that a user typed. Refuses the call with `invalid` or `not-found`. */
export async function namedAccount(accounts: Accounts, text: string): Promise<Account> {
  const id = accountIdIn(text)
  const account =
    id === undefined
      ? await accounts.findByEmail(parseFields({ email: email(text) }).email, formerEmail(text))
      : await accounts.find(id)
  if (!account) throw noSuchAccount(id === undefined ? 'email' : 'id')
  return account
}

export type AccountParts = { readonly accounts: Accounts; readonly assertWithin: AssertWithin }

/**
 * Resolves with the account that a call affects; also refuses the call with `forbidden` if the call is limited to its caller (`within`) and
 * the account has more permissions.
 */
export async function affectedAccount(
  { accounts, assertWithin }: AccountParts,
  call: Limited & { readonly email: string },
): Promise<Account> {
  const account = await namedAccount(accounts, call.email)
  const roles = account.roles.map(({ key }) => key)
  assertWithin(call, roles)
  return account
}

/** Validates a string for `namedAccount`, so that its errors can be reported together with errors in other fields. */
export function accountName(text: string): Parsed<unknown> {
  return accountIdIn(text) === undefined ? email(text) : accepted(text)
}

/** Returns the account ID if the string is one. An email is never a number, because every email contains an `@`. */
export function accountIdIn(text: string): AccountId | undefined {
  return positiveIntegerIn(text) as AccountId | undefined
}

const NO_SUCH = {
  email: 'There is no account with this email.',
  id: 'There is no account with this id.',
} as const

export function emailTaken(field: 'email' | 'newEmail' = 'email'): Refusal {
  return refuseField('conflict', field, 'Duplicate', 'An account with this email already exists.')
}

export function noSuchAccount(by: keyof typeof NO_SUCH = 'email'): Refusal {
  return refuseField('not-found', by, 'NotFound', NO_SUCH[by])
}

/** Returns the refusal for a host that treats the result `unchanged` of `removeUserFactor` as an error. */
export function noUserFactor(): Refusal {
  return refuseField('not-found', 'email', 'NotFound', 'The account has no second factor.')
}
