// Increments the epoch of an account and ends its sessions; every port that invalidates logins calls it.
import type { Filter, UpdateFilter } from 'mongodb'
import type { AccountId, Epoch } from '../../domain/identity/account.js'
import type { Database } from './database.js'
import type { AccountDocument } from './documents.js'

export const ENABLED = { disabledAt: { $exists: false } } as const

/** The account's ID and new epoch, and the number of its ended sessions. */
type Bump = { readonly id: AccountId; readonly epoch: Epoch; readonly ended: number }

/**
 * Increments the epoch in one write. After the write, no read finds earlier sessions of which the account is the owner or the actor. The
 * session documents are removed before this function returns, because a refresh checks only the session, not the account.
 */
export async function bumpEpoch(
  { accounts, sessions }: Pick<Database, 'accounts' | 'sessions'>,
  filter: Filter<AccountDocument>,
  change: UpdateFilter<AccountDocument>,
): Promise<Bump | undefined> {
  const bump = { ...change, $inc: { epoch: 1 } } as UpdateFilter<AccountDocument>
  const after = await accounts.findOneAndUpdate(filter, bump, { returnDocument: 'after' })
  if (!after) return undefined
  const before = { $lt: after.epoch }
  const [own] = await Promise.all([
    sessions.deleteMany({ accountId: after._id, epoch: before }),
    sessions.deleteMany({ 'actor.accountId': after._id, 'actor.epoch': before }),
  ])
  return { id: after._id, epoch: after.epoch, ended: own.deletedCount }
}
