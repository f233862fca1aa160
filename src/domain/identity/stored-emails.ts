import type { Account } from './account.js'
import { canonicalEmail, type Email } from './email.js'

/** An account with its email in the form in which releases up to 0.7.0 stored it. Migrations of the stores use this module. */
export type StoredEmail = Pick<Account, 'id' | 'email'>

/** An account whose stored email differs from its canonical form. */
export type FormerEmail = StoredEmail & { readonly canonical: Email }

/**
 * `replace`: the account gets the canonical email. `share`: the account keeps its email, because another account already has the canonical
 * email.
 */
export type EmailChange = FormerEmail & { readonly kind: 'replace' | 'share' }

/** Returns the accounts whose stored email is not canonical. Skips invalid emails, because logins cannot find them. */
export function formerEmails(stored: readonly StoredEmail[]): readonly FormerEmail[] {
  return stored.flatMap((one) => {
    const canonical = canonicalEmail(one.email)
    return canonical === undefined || canonical === one.email ? [] : [{ ...one, canonical }]
  })
}

/**
 * Returns the changes that make stored emails canonical. Never merges accounts: accounts with the same canonical email keep their stored
 * emails. `holders` are accounts whose stored email equals the canonical email of an account in `former`.
 */
export function emailChanges(
  former: readonly FormerEmail[],
  holders: readonly StoredEmail[],
): readonly EmailChange[] {
  // Another instance may have migrated an account since the account was read into `former`.
  const changed = new Set(holders.map(({ id }) => id))
  const all = [
    ...former.filter(({ id }) => !changed.has(id)),
    ...holders.map((one) => ({ ...one, canonical: one.email })),
  ]
  const counts = new Map<Email, number>()
  for (const { canonical } of all) counts.set(canonical, (counts.get(canonical) ?? 0) + 1)
  return all
    .map((one): EmailChange => ({ ...one, kind: counts.get(one.canonical) === 1 ? 'replace' : 'share' }))
    .filter(({ kind, email, canonical }) => kind === 'share' || email !== canonical)
}
