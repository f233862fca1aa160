import type { Filter, UpdateFilter } from 'mongodb'
import type { AccountId, Epoch } from '../../domain/identity/account.js'
import type { Database } from './database.js'
import type { AccountDocument } from './documents.js'

export const ENABLED = { disabledAt: { $exists: false } } as const

/** Whose epoch it was, the new one, and how many sessions of its own went with the one before. */
type Bump = { readonly id: AccountId; readonly epoch: Epoch; readonly ended: number }

/**
 * One write bumps the epoch, and with it no earlier session is found by any look-up, also
 * where the account acts as another one. Their documents go too before this returns, so that a
 * refresh, which is one write of the session alone, finds nothing to rotate; those of the new epoch stay.
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
