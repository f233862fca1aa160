import type { Filter } from 'mongodb'
import type { Email } from '../../domain/identity/email.js'
import type { ResetDigest } from '../../domain/identity/reset-token.js'
import type { Instant } from '../../domain/instant.js'
import type { Accounts } from '../../ports/accounts.js'
import type { Database } from './database.js'
import type { AccountDocument } from './documents.js'
import { bumpEpoch, ENABLED } from './epochs.js'

type PasswordResets = Pick<Accounts, 'offerReset' | 'holdsReset' | 'redeemReset'>

/** The offer lies in the account's document; one update of that spends it. */
export function passwordResets(database: Database): PasswordResets {
  const { accounts, ask } = database
  return {
    offerReset: (id, epoch, { digest, until }) =>
      ask(async () => {
        const reset = { digest, until, epoch }
        const { matchedCount } = await accounts.updateOne({ _id: id, epoch, ...ENABLED }, { $set: { reset } })
        return matchedCount === 1 ? 'offered' : 'changed'
      }),
    holdsReset: (email, digest, at) =>
      ask(async () => {
        const held = resettable(email, digest, at)
        return (await accounts.findOne(held, { projection: { _id: 1 } })) !== null
      }),
    redeemReset: ({ email, digest, at, hash }) =>
      ask(async () => {
        const change = { $set: { passwordHash: hash }, $unset: { reset: true } } as const
        return (await bumpEpoch(database, resettable(email, digest, at), change))?.id
      }),
  }
}

/** The account whose password this offer lets reset at the moment. */
function resettable(email: Email, digest: ResetDigest, at: Instant): Filter<AccountDocument> {
  return {
    email,
    ...ENABLED,
    'reset.digest': digest,
    'reset.until': { $gt: at },
    $expr: { $eq: ['$reset.epoch', '$epoch'] },
  }
}
