import type { Filter, UpdateFilter } from 'mongodb'
import type { AccountId } from '../../domain/identity/account.js'
import type { Database } from './database.js'
import type { AccountDocument } from './documents.js'

export const ENABLED = { disabledAt: { $exists: false } } as const

/**
 * One write moves the epoch, and with it every session of before is dead to every look-up, also
 * where the account acts as another one. Their documents go too before this returns, so that a
 * refresh, which is one write of the session alone, finds nothing to move. Gives the account's id.
 */
export async function moveEpoch(
  { accounts, sessions }: Pick<Database, 'accounts' | 'sessions'>,
  filter: Filter<AccountDocument>,
  change: UpdateFilter<AccountDocument>,
): Promise<AccountId | undefined> {
  const moved = { ...change, $inc: { epoch: 1 } } as UpdateFilter<AccountDocument>
  const after = await accounts.findOneAndUpdate(filter, moved, { returnDocument: 'after' })
  if (!after) return undefined
  const before = { $lt: after.epoch }
  await sessions.deleteMany({
    $or: [
      { accountId: after._id, epoch: before },
      { 'actor.accountId': after._id, 'actor.epoch': before },
    ],
  })
  return after._id
}
