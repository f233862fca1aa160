import type { Document, Filter } from 'mongodb'
import type { Epoch } from '../../domain/identity/account.js'
import { RESET_TOKENS_MAX, type IssuedResetToken } from '../../domain/identity/reset-token.js'
import type { MailJobId } from '../../domain/mail.js'
import type { Accounts } from '../../ports/accounts.js'
import { withEmail } from './account-search.js'
import type { Database } from './database.js'
import type { AccountDocument } from './documents.js'
import { bumpEpoch, ENABLED } from './epochs.js'

/** Reset tokens from the first release do not contain the ID of their mail job. */
const UNKNOWN_MAIL = '' as MailJobId

export function resetTokensOf({ reset, resets = [] }: Pick<AccountDocument, 'reset' | 'resets'>) {
  return reset ? [{ ...reset, mailJobId: UNKNOWN_MAIL }, ...resets] : resets
}

/** The function `resetTokensOf` as an aggregation expression. */
const RESET_TOKENS = {
  $concatArrays: [
    { $cond: [{ $eq: [{ $type: '$reset' }, 'object'] }, ['$reset'], []] },
    { $ifNull: ['$resets', []] },
  ],
}

/** Reset tokens are stored in the account's document, so one update consumes them. */
export function passwordResets(
  database: Database,
): Pick<Accounts, 'issueResetToken' | 'holdsResetToken' | 'consumeResetToken' | 'resetTokenEnds'> {
  const { accounts } = database
  return {
    async issueResetToken(id, epoch, token) {
      const enabled = { _id: id, epoch, ...ENABLED }
      const { matchedCount } = await accounts.updateOne(enabled, withToken(token, epoch))
      return matchedCount === 1 ? 'issued' : 'changed'
    },
    async holdsResetToken(email, digest, at) {
      const filter = resettable(email, digest, at)
      return (await accounts.findOne(filter, { projection: { _id: 1 } })) !== null
    },
    async resetTokenEnds(id) {
      const found = await accounts.findOne({ _id: id }, { projection: { reset: 1, resets: 1 } })
      return found ? resetTokensOf(found).map(({ until }) => until) : []
    },
    async consumeResetToken({ email, digest, at, hash }) {
      const change = { $set: { passwordHash: hash }, $unset: { reset: true, resets: true } } as const
      return (await bumpEpoch(database, resettable(email, digest, at), change))?.id
    },
  }
}

function withToken({ digest, until, mailJobId }: IssuedResetToken, epoch: Epoch): Document[] {
  const others = { $ne: ['$$token.mailJobId', { $literal: mailJobId }] }
  const kept = { $filter: { input: RESET_TOKENS, as: 'token', cond: others } }
  const added = { $literal: { digest, until, mailJobId, epoch } }
  return [
    { $set: { resets: { $slice: [{ $concatArrays: [kept, [added]] }, -RESET_TOKENS_MAX] } } },
    { $unset: 'reset' },
  ]
}

/** Matches the account whose password may currently be reset with this token. */
function resettable(
  ...[email, digest, at]: Parameters<Accounts['holdsResetToken']>
): Filter<AccountDocument> {
  const isValid = {
    $and: [
      { $eq: ['$$token.digest', { $literal: digest }] },
      { $gt: ['$$token.until', at] },
      { $eq: ['$$token.epoch', '$epoch'] },
    ],
  }
  return {
    ...withEmail(email),
    ...ENABLED,
    $expr: { $anyElementTrue: { $map: { input: RESET_TOKENS, as: 'token', in: isValid } } },
  }
}
