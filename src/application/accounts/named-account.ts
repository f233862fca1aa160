import type { Account } from '../../domain/identity/account.js'
import { email, formerEmail } from '../../domain/identity/email.js'
import { refuseField, type Refusal } from '../../domain/refusal.js'
import type { Accounts } from '../../ports/accounts.js'
import { parseFields } from '../fields.js'

/** The account of an email as it was typed. Refuses with `invalid` and `not-found`. */
export async function namedAccount(accounts: Accounts, text: string): Promise<Account> {
  const account = await accounts.findByEmail(parseFields({ email: email(text) }).email, formerEmail(text))
  if (!account) throw noSuchAccount()
  return account
}

export function noSuchAccount(): Refusal {
  return refuseField('not-found', 'email', 'NotFound', 'There is no account with this email.')
}
