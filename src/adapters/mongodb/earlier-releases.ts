// Upgrades the data of earlier releases.
import type { Email } from '../../domain/identity/email.js'
import {
  emailChanges,
  formerEmails,
  type EmailChange,
  type FormerEmail,
  type StoredEmail,
} from '../../domain/identity/account.js'
import type { Database } from './database.js'
import { isDuplicateOf } from './errors.js'
import type { ProofDigest } from '../../domain/identity/proof.js'
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

const PAGE = 1_000

/** Matches every email that is possibly not canonical. */
const CANDIDATE = /[^ -~]|xn--|\.$/

const EMAIL_ONLY = { projection: { email: 1 } } as const

/**
 * Gives accounts from an earlier release their canonical emails. Concurrent and interrupted runs are safe, because an update applies only
 * if the account still has the email to be replaced.
 */
export async function canonicaliseEmails(database: Database): Promise<void> {
  const former = await formerIn(database)
  const canonical = [...new Set(former.map((one) => one.canonical))]
  const holders: StoredEmail[] = []
  for (let first = 0; first < canonical.length; first += PAGE)
    holders.push(...(await holdersOf(database, canonical.slice(first, first + PAGE))))
  for (const change of emailChanges(former, holders)) await apply(database, change)
}

async function holdersOf({ accounts }: Database, emails: readonly Email[]): Promise<readonly StoredEmail[]> {
  const found = await accounts.find({ email: { $in: [...emails] } }, EMAIL_ONLY).toArray()
  return found.map(({ _id: id, email }) => ({ id, email }))
}

async function formerIn({ accounts }: Database): Promise<readonly FormerEmail[]> {
  const former: FormerEmail[] = []
  for await (const { _id: id, email } of accounts.find({ email: CANDIDATE as never }, EMAIL_ONLY))
    former.push(...formerEmails([{ id, email }]))
  return former
}

async function apply(database: Database, change: EmailChange): Promise<void> {
  const { accounts } = database
  const { kind, id, email, canonical } = change
  if (kind === 'share') {
    await accounts.updateOne({ _id: id, email }, { $set: { sharedEmail: canonical } })
    return
  }
  try {
    await accounts.updateOne({ _id: id, email }, { $set: { email: canonical, enteredEmail: email } })
  } catch (error) {
    if (!isDuplicateOf(error, 'email')) throw error
    // An instance that runs the earlier release has just created an account with this email.
    await accounts.updateMany(
      { $or: [{ _id: id }, { email: canonical }] },
      { $set: { sharedEmail: canonical } },
    )
  }
}
