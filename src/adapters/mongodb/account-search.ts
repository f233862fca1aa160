// Searches accounts by email, role and state, with an index for each kind of search.
import type { Collection, Filter, IndexDescription } from 'mongodb'
import { emailRange, type Email } from '../../domain/identity/email.js'
import type { AccountSearch } from '../../ports/accounts.js'
import type { AccountDocument } from './documents.js'

/** Each search scans one range of an index in email order. The field `disabledAt` distinguishes two indexes with the same sort order. */
const BY_EMAIL = { email: 1 } as const
const BY_ROLE = { 'roles.key': 1, email: 1 } as const
const DISABLED = { email: 1, disabledAt: 1 } as const
const DISABLED_BY_ROLE = { 'roles.key': 1, email: 1, disabledAt: 1 } as const

const BY_SHARED_EMAIL = { sharedEmail: 1 } as const

/** The index that `adoptResetTokens` uses. */
const FORMER_RESETS = { 'resets.digest': 1 } as const

/** Each ID occurs in only one account's document. */
const BY_PASSKEY = { 'passkeys.id': 1 } as const

const HAS_ROLES = { 'roles.key': { $exists: true } }
const IS_DISABLED = { disabledAt: { $exists: true } }
const SHARES_EMAIL = { sharedEmail: { $exists: true } }

/** The indexes on the account collection, most of them for searches. */
export const ACCOUNT_INDEXES: readonly IndexDescription[] = [
  { key: BY_EMAIL, unique: true },
  { key: BY_ROLE, partialFilterExpression: HAS_ROLES },
  { key: DISABLED, partialFilterExpression: IS_DISABLED },
  { key: DISABLED_BY_ROLE, partialFilterExpression: IS_DISABLED },
  // This index is partial, because only a few accounts from earlier releases share an email.
  { key: BY_SHARED_EMAIL, partialFilterExpression: SHARES_EMAIL },
  { key: BY_PASSKEY, unique: true, partialFilterExpression: { 'passkeys.id': { $exists: true } } },
  { key: FORMER_RESETS, partialFilterExpression: { 'resets.digest': { $exists: true } } },
]

export function withEmail(email: Email): Filter<AccountDocument> {
  return { $or: [{ email }, { sharedEmail: email }] }
}

export async function searchAccounts(
  accounts: Collection<AccountDocument>,
  search: AccountSearch,
): Promise<readonly AccountDocument[]> {
  // Without a hint, the server would try out indexes on the current data and cache the chosen plan.
  const options = { sort: { email: 1 }, limit: search.limit, hint: indexOf(search) } as const
  return await accounts.find(filterOf(search), options).toArray()
}

function indexOf({ role, onlyDisabled = false }: AccountSearch): Readonly<Record<string, 1>> {
  if (role === undefined) return onlyDisabled ? DISABLED : BY_EMAIL
  return onlyDisabled ? DISABLED_BY_ROLE : BY_ROLE
}

function filterOf({ start, role, onlyDisabled = false, after }: AccountSearch): Filter<AccountDocument> {
  const { first, end } = emailRange(start)
  return {
    // The bounds are plain strings, not valid emails.
    email: {
      $gte: first as Email,
      ...(end !== undefined && { $lt: end as Email }),
      ...(after !== undefined && { $gt: after }),
    },
    ...(role !== undefined && { 'roles.key': role }),
    ...(onlyDisabled && IS_DISABLED),
  }
}
