import type { Filter } from 'mongodb'
import type { Account, AccountId, Epoch } from '../../domain/identity/account.js'
import type { Email } from '../../domain/identity/email.js'
import type { AccountInsertion, Accounts, EmailChange, NewAccount } from '../../ports/accounts.js'
import type { Database } from './database.js'
import { accountOf, type AccountDocument } from './documents.js'
import { searchAccounts, withEmail } from './account-search.js'
import { bumpEpoch, ENABLED } from './epochs.js'
import { isDuplicateOf } from './errors.js'
import { insertCounted } from './ids.js'
import { insertOwn } from './writes.js'
import { removedOf, rolesOfKeys } from './roles.js'

const FIRST_EPOCH = 1 as Epoch

const [FIRST, LAST] = [0, Number.MAX_SAFE_INTEGER] as readonly number[] as readonly [AccountId, AccountId]

/** Stores accounts. The unique index on the email decides which of several concurrent inserts succeeds. */
export function createAccounts(database: Database): Accounts {
  const { accounts, sessions } = database

  async function exists(id: AccountId): Promise<boolean> {
    return (await accounts.findOne({ _id: id }, { projection: { _id: 1 } })) !== null
  }

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
      return (await exists(id)) ? 'unchanged' : 'unknown'
    },
    async remove(id, epoch) {
      // This write already ends the account's sessions, because a session is active only while its account exists.
      const { deletedCount } = await accounts.deleteOne(
        epoch === undefined ? { _id: id } : { _id: id, epoch },
      )
      if (deletedCount === 0 && (await exists(id))) return 'unknown'
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

/** The search for other accounts with the email may precede the write, because no account can start to share an email. */
export async function changeEmail(
  database: Database,
  { id, email, enteredEmail }: EmailChange,
  only: Filter<AccountDocument> = {},
): Promise<'changed' | 'email-taken' | 'unknown'> {
  const { accounts } = database
  if (!(await accounts.findOne({ _id: id, ...only }, { projection: { _id: 1 } }))) return 'unknown'
  const other = { ...withEmail(email), _id: { $ne: id } }
  if (await accounts.findOne(other, { projection: { _id: 1 } })) return 'email-taken'
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
  const [taken, found] = await Promise.all([
    accounts.findOne(withEmail(account.email), { projection: { _id: 1 } }),
    rolesOfKeys(database, roles),
  ])
  if (taken) return { kind: 'duplicate-email' }
  if ('unknown' in found) return { kind: 'unknown-role', role: found.unknown }
  try {
    const id = await insertCounted<AccountId>(database, 'accounts', (_id) =>
      insertOwn(accounts, { _id, ...account, epoch: FIRST_EPOCH, roles: found.roles }),
    )
    const removed = await removedOf(database, found.roles)
    if (removed === undefined) return { kind: 'inserted', id }
    await accounts.deleteOne({ _id: id })
    return { kind: 'unknown-role', role: removed }
  } catch (error) {
    if (isDuplicateOf(error, 'email')) return { kind: 'duplicate-email' }
    throw error
  }
}
