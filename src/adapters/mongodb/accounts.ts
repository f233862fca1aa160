import type { Filter, Collection, IndexDescription } from 'mongodb'
import type { Account, AccountId, Epoch } from '../../domain/identity/account.js'
import { type Email, emailRange } from '../../domain/identity/email.js'
import type {
  AccountInsertion,
  Accounts,
  EmailChange,
  NewAccount,
  AccountSearch,
} from '../../ports/accounts.js'
import type { Database } from './database.js'
import { accountOf, type AccountDocument } from './documents.js'
import { bumpEpoch, ENABLED, exists, insertOwn } from './writes.js'
import { isDuplicateOf } from './errors.js'
import { insertWithRoles } from './roles.js'

/** Each search scans one range of an index in email order. The field `disabledAt` distinguishes two indexes with the same sort order. */
const BY_EMAIL = { email: 1 } as const
const BY_ROLE = { 'roles.key': 1, email: 1 } as const
const DISABLED = { email: 1, disabledAt: 1 } as const
const DISABLED_BY_ROLE = { 'roles.key': 1, email: 1, disabledAt: 1 } as const

const BY_SHARED_EMAIL = { sharedEmail: 1 } as const

const FORMER_RESETS = { 'resets.digest': 1 } as const

const BY_PASSKEY = { 'passkeys.id': 1 } as const

const HAS_ROLES = { 'roles.key': { $exists: true } }
const IS_DISABLED = { disabledAt: { $exists: true } }
const SHARES_EMAIL = { sharedEmail: { $exists: true } }

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

function withEmail(email: Email): Filter<AccountDocument> {
  return { $or: [{ email }, { sharedEmail: email }] }
}

async function searchAccounts(
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
    email: {
      $gte: first as Email,
      ...(end !== undefined && { $lt: end as Email }),
      ...(after !== undefined && { $gt: after }),
    },
    ...(role !== undefined && { 'roles.key': role }),
    ...(onlyDisabled && IS_DISABLED),
  }
}

const FIRST_EPOCH = 1 as Epoch

const [FIRST, LAST] = [0, Number.MAX_SAFE_INTEGER] as readonly number[] as readonly [AccountId, AccountId]

/** Stores accounts. The unique index on the email decides which of several concurrent inserts succeeds. */
export function createAccounts(database: Database): Accounts {
  const { accounts, sessions } = database

  return {
    insert: (account) => insertAccount(database, account),
    findByEmail: async (email, former = email) =>
      chosenOf(await accounts.find(withEmail(email)).toArray(), former),
    async find(id) {
      const document = await accounts.findOne({ _id: id })
      return document === null ? undefined : accountOf(document)
    },
    findMany: async (ids) =>
      (await accounts.find({ _id: { $in: [...ids] } }, { sort: { _id: 1 } }).toArray()).map(accountOf),
    async page(after, limit, order) {
      const isBack = order === 'newest-first'
      const rest = { _id: isBack ? { $lt: after ?? LAST } : { $gt: after ?? FIRST } }
      const found = accounts.find(rest, { sort: { _id: isBack ? -1 : 1 }, limit })
      return (await found.toArray()).map(accountOf)
    },
    search: async (search) => (await searchAccounts(accounts, search)).map(accountOf),
    async replaceHash(id, expected, next) {
      const same = { _id: id, passwordHash: expected }
      const { matchedCount } = await accounts.updateOne(same, { $set: { passwordHash: next } })
      return matchedCount === 1 ? 'replaced' : 'changed'
    },
    async setPassword(id, hash) {
      const bumped = await bumpEpoch(database, { _id: id }, { $set: { passwordHash: hash } })
      return bumped ? 'set' : 'unknown'
    },
    async changePassword({ id, expected, next }) {
      const same = { _id: id, passwordHash: expected, ...ENABLED }
      return (await bumpEpoch(database, same, { $set: { passwordHash: next } }))?.epoch
    },
    changeEmail: (change) => changeEmail(database, change),
    async setDisabled(id, at, since) {
      const expected = { _id: id, disabledAt: since ?? { $exists: at === undefined } }
      const change =
        at === undefined ? { $unset: { disabledAt: true as const } } : { $set: { disabledAt: at } }
      const bumped = await bumpEpoch(database, expected, change)
      if (bumped) return 'set'
      return (await exists(accounts, { _id: id })) ? 'unchanged' : 'unknown'
    },
    async remove(id, epoch) {
      // This write already ends the account's sessions, because a session is active only while its account exists.
      const { deletedCount } = await accounts.deleteOne(
        epoch === undefined ? { _id: id } : { _id: id, epoch },
      )
      if (deletedCount === 0 && (await exists(accounts, { _id: id }))) return 'unknown'
      await database.proofs.deleteMany({ accountId: id })
      await sessions.deleteMany({ $or: [{ accountId: id }, { 'actor.accountId': id }] })
      return deletedCount === 1 ? 'removed' : 'unknown'
    },
  }
}

/** Returns the only account found or, if several accounts share the canonical email, the account with the stored email `former`. */
function chosenOf(documents: readonly AccountDocument[], former: Email): Account | undefined {
  const own = documents.length === 1 ? documents[0] : documents.find(({ email }) => email === former)
  return own && accountOf(own)
}

/** Searches for other accounts with the new email before the write. This is safe, because no account can take an email that is in use. */
export async function changeEmail(
  database: Database,
  { id, email, enteredEmail }: EmailChange,
  only: Filter<AccountDocument> = {},
): Promise<'changed' | 'email-taken' | 'unknown'> {
  const { accounts } = database
  if (!(await exists(accounts, { _id: id, ...only }))) return 'unknown'
  if (await exists(accounts, { ...withEmail(email), _id: { $ne: id } })) return 'email-taken'
  const kept = { email, ...(enteredEmail !== undefined && { enteredEmail }) }
  const removed = {
    sharedEmail: true as const,
    ...(enteredEmail === undefined && { enteredEmail: true as const }),
  }
  try {
    const bumped = await bumpEpoch(database, { _id: id, ...only }, { $set: kept, $unset: removed })
    return bumped ? 'changed' : 'unknown'
  } catch (error) {
    if (isDuplicateOf(error, 'email')) return 'email-taken'
    throw error
  }
}

export async function insertAccount(
  database: Database,
  { roles = [], ...account }: NewAccount,
): Promise<AccountInsertion> {
  const { accounts } = database
  if (await exists(accounts, withEmail(account.email))) return { kind: 'duplicate-email' }
  try {
    return await insertWithRoles<AccountId>(database, 'accounts', roles, (_id, held) =>
      insertOwn(accounts, { _id, ...account, epoch: FIRST_EPOCH, roles: held }),
    )
  } catch (error) {
    if (isDuplicateOf(error, 'email')) return { kind: 'duplicate-email' }
    throw error
  }
}
