import type { Role } from '../access/role.js'
import type { Instant } from '../instant.js'
import { emailForms, type Email, canonicalEmail } from './email.js'
import type { PasswordHash } from './password.js'

/** The ID of an account: a positive integer, assigned by the store and never reused. */
export type AccountId = number & { readonly brand: 'AccountId' }

/**
 * A counter that is incremented whenever the password is changed, the account is disabled or enabled, or its sessions are revoked. A
 * session records the epoch in which it was opened, and ends when the account's epoch changes. A single atomic write can therefore end all
 * sessions of an account.
 */
export type Epoch = number & { readonly brand: 'Epoch' }

/** A user who can log in. */
export type Account = {
  readonly id: AccountId
  /**
   * The canonical form of the email, unique among accounts. If `sharedEmail` is present, `email` has the form in which an earlier release
   * stored it.
   */
  readonly email: Email
  /** The email as entered, if it differs from `email`. This form is displayed, and is the address to which emails are sent. */
  readonly enteredEmail?: Email
  /**
   * Present only in stores written by a release up to 0.7.0, and only if another account has the same canonical email; contains the
   * canonical form of `email`. Each of these accounts keeps its `email`, and can be found by this email, until the other accounts are
   * deleted.
   */
  readonly sharedEmail?: Email
  /** Absent until a password is set; until then the account cannot log in. */
  readonly passwordHash?: PasswordHash
  readonly epoch: Epoch
  readonly disabledAt?: Instant
  readonly createdAt: Instant
  /** When the active second factor was confirmed; this time also identifies the factor. Absent if logins need no code. */
  readonly secondFactor?: Instant
  readonly roles: readonly Role[]
}

export function shownEmail({ email, enteredEmail }: Pick<Account, 'email' | 'enteredEmail'>): Email {
  return enteredEmail ?? email
}

/**
 * Returns every address under which emails for the account may be queued: all forms of its email, or only its own `email` if another
 * account has the same canonical form.
 */
export function mailEmails(
  account: Pick<Account, 'email' | 'enteredEmail' | 'sharedEmail'>,
): readonly Email[] {
  return account.sharedEmail === undefined ? emailForms(shownEmail(account)) : [account.email]
}

/** An account with its email in the form in which releases up to 0.7.0 stored it. Migrations of the stores use this module. */
export type StoredEmail = Pick<Account, 'id' | 'email'>

/** An account whose stored email differs from its canonical form. */
export type FormerEmail = StoredEmail & { readonly canonical: Email }

/**
 * `replace`: the account gets the canonical email. `share`: the account keeps its current email, because another account already has the
 * canonical email.
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
