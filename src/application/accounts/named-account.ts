import type { Account, AccountId } from '../../domain/identity/account.js'
import { email, formerEmail } from '../../domain/identity/email.js'
import { accepted, type Parsed } from '../../domain/parsed.js'
import { positiveIntegerIn } from '../../domain/positive-integer.js'
import { refuseField, type Refusal } from '../../domain/refusal.js'
import type { Accounts } from '../../ports/accounts.js'
import { parseFields } from '../fields.js'

/** The account of an email or an account ID, as it was typed. Refuses with `invalid` and `not-found`. */
export async function namedAccount(accounts: Accounts, text: string): Promise<Account> {
  const id = accountIdIn(text)
  const account =
    id === undefined
      ? await accounts.findByEmail(parseFields({ email: email(text) }).email, formerEmail(text))
      : await accounts.find(id)
  if (!account) throw noSuchAccount(id === undefined ? 'email' : 'id')
  return account
}

/** The rule for a text that `namedAccount` gets, to report it together with other fields. */
export function accountName(text: string): Parsed<unknown> {
  return accountIdIn(text) === undefined ? email(text) : accepted(text)
}

/** The account ID that the text names. No email is a number, because every email has an `@`. */
export function accountIdIn(text: string): AccountId | undefined {
  return positiveIntegerIn(text) as AccountId | undefined
}

const NO_SUCH = {
  email: 'There is no account with this email.',
  id: 'There is no account with this id.',
} as const

export function noSuchAccount(by: keyof typeof NO_SUCH = 'email'): Refusal {
  return refuseField('not-found', 'email', 'NotFound', NO_SUCH[by])
}
