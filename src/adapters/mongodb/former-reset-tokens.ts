import type { ProofDigest } from '../../domain/identity/proof.js'
import type { Database } from './database.js'
import { upserting } from './writes.js'

/**
 * Converts reset tokens of release 0.8.0 to proofs: all tokens or, with `digest`, the tokens of the account that this token belongs to.
 * Release 0.8.0 stores the tokens in the account's document, even while it runs alongside this release; this function can be removed after
 * 0.9. Release 0.8.0 did not store the time of the request, so `createdAt` is 0.
 */
export async function adoptResetTokens({ accounts, proofs }: Database, digest?: ProofDigest): Promise<void> {
  const found = accounts.find({ 'resets.digest': digest ?? { $exists: true } })
  for await (const { _id: accountId, email, sharedEmail = email, epoch, resets = [] } of found)
    for (const { mailJobId: _id, ...token } of resets.filter((one) => one.epoch === epoch)) {
      const rest = { ...token, purpose: 'reset-password' as const, email: sharedEmail, createdAt: 0 }
      await proofs.deleteOne({ _id, until: { $lt: token.until } })
      const proof = { $setOnInsert: { ...rest, accountId, attempts: 0 } }
      await upserting(() => proofs.updateOne({ _id }, proof, { upsert: true }))
    }
}
