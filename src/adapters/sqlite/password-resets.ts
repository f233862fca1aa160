import type { AccountId, Epoch } from '../../domain/identity/account.js'
import type { Email } from '../../domain/identity/email.js'
import {
  RESET_TOKENS_MAX,
  type ResetDigest,
  type IssuedResetToken,
} from '../../domain/identity/reset-token.js'
import type { Instant } from '../../domain/instant.js'
import type { ResetConsumption } from '../../ports/accounts.js'
import type { Database } from './database.js'

/** The statement that acts on a reset token judges whether the token is in force. */
const IN_FORCE = `(email = ? OR shared_email = ?) AND disabled_at IS NULL AND EXISTS (
  SELECT 1 FROM reset_offers AS t
  WHERE t.account_id = accounts.id AND t.digest = ? AND t.until > ? AND t.epoch = accounts.epoch
)`

/** Reset tokens, one row each; for a transaction that holds the write lock. */
export function prepareResets(prepare: Database['prepare']) {
  const insert = prepare(
    `INSERT INTO reset_offers (account_id, epoch, digest, until, mail_job_id)
     SELECT id, epoch, ?, ?, ? FROM accounts WHERE id = ? AND epoch = ? AND disabled_at IS NULL`,
  )
  const voidOtherTries = prepare(
    'DELETE FROM reset_offers WHERE account_id = ? AND mail_job_id = ? AND number <> ?',
  )
  const voidOlder = prepare(
    `DELETE FROM reset_offers WHERE account_id = ?1 AND number NOT IN (
       SELECT number FROM reset_offers WHERE account_id = ?1 ORDER BY number DESC LIMIT ${RESET_TOKENS_MAX}
     )`,
  )
  const held = prepare(`SELECT 1 FROM accounts WHERE ${IN_FORCE}`)
  const ends = prepare<readonly [until: Instant]>(
    'SELECT until FROM reset_offers WHERE account_id = ? ORDER BY number',
  )
  const voidAll = prepare('DELETE FROM reset_offers WHERE account_id = ?')
  const consume = prepare<readonly [id: AccountId]>(
    `UPDATE accounts SET password_hash = ?, epoch = epoch + 1 WHERE ${IN_FORCE} RETURNING id`,
  )
  return {
    issue: (id: AccountId, epoch: Epoch, { digest, until, mailJobId }: IssuedResetToken): boolean => {
      const { changes, lastInsertRowid } = insert.run(digest, until, mailJobId, id, epoch)
      if (changes === 0) return false
      voidOtherTries.run(id, mailJobId, lastInsertRowid)
      voidOlder.run(id)
      return true
    },
    holds: (email: Email, digest: ResetDigest, at: Instant) =>
      held.get(email, email, digest, at) !== undefined,
    ends: (id: AccountId): Instant[] => ends.all(id).map(([until]) => until),
    consume: ({ email, digest, at, hash }: ResetConsumption): AccountId | undefined => {
      const id = consume.get(hash, email, email, digest, at)?.[0]
      if (id !== undefined) voidAll.run(id)
      return id
    },
  }
}
