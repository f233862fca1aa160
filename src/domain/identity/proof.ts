import type { RoleKey } from '../access/role.js'
import type { Instant, Milliseconds } from '../instant.js'
import type { MailJobId } from '../mail.js'
import type { AccountId, Epoch } from './account.js'
import type { Email } from './email.js'
import type { PasswordHash } from './password.js'

/** The action that a proof permits. A proof is valid for one purpose only. */
export const PROOF_PURPOSES = [
  ...(['sign-up', 'invitation', 'change-email', 'undo-email', 'login', 'reset-password'] as const),
] as const
/** A purpose from `PROOF_PURPOSES`. */
export type ProofPurpose = (typeof PROOF_PURPOSES)[number]

const [MINUTE, HOUR] = [60_000, 3_600_000]

/** Any purpose except a password reset. The proof is presented as a token or a code (see `PresentProof`). */
export type PresentedPurpose = Exclude<ProofPurpose, 'reset-password'>

/** How long a proof is valid after its email is sent; a setting determines the lifetime of password resets. */
export const PROOF_LIFETIMES: Readonly<Record<PresentedPurpose, Milliseconds>> = {
  'sign-up': 24 * HOUR,
  invitation: 7 * 24 * HOUR,
  'change-email': HOUR,
  'undo-email': 72 * HOUR,
  login: 10 * MINUTE,
}

/** A proof and the email that contains its secret have the same ID. */
export type ProofId = MailJobId

export function isProofPurpose(text: string): text is ProofPurpose {
  return PROOF_PURPOSES.some((purpose) => purpose === text)
}

/** A secret of 256 bits in base64url: the token in a mailed link, or the secret in the cookie of the requesting browser. */
export type ProofSecret = string & { readonly brand: 'ProofSecret' }

const SECRET = /^[\w-]{43}$/

export function isProofSecret(text: string | undefined): text is ProofSecret {
  return text !== undefined && SECRET.test(text)
}

/** The SHA-256 digest of a proof secret in base64url, the only form that a store keeps. */
export type ProofDigest = string & { readonly brand: 'ProofDigest' }

/** The maximum number of valid reset proofs of an account; when it is exceeded, the proofs that expire first become invalid. */
export const RESET_PROOFS_MAX = 3

/** The maximum number of codes that can be tried for one proof. */
export const CODE_ATTEMPTS_MAX = 5

/**
 * The stored form of an email proof. Only one caller can use the proof, and only once. The secrets of a proof are created
 * when the email is sent, so that neither the queue nor the store contains them.
 */
export type Proof = {
  readonly id: ProofId
  readonly purpose: ProofPurpose
  /** The canonical address that is proven; for `undo-email`, the address that the account gets back. */
  readonly email: Email
  /** The email as entered, if it differs from `email`. */
  readonly enteredEmail?: Email
  readonly createdAt: Instant
  /** The time from which the proof is invalid. */
  readonly until: Instant
  /** The account that requested the proof; the proof is removed with the account. */
  readonly accountId?: AccountId
  /** If present, the proof becomes invalid when the account's epoch changes. */
  readonly epoch?: Epoch
  /** The roles that an invitation gives. */
  readonly roles?: readonly RoleKey[]
  /** The digest of the secret in the requesting browser's cookie. Only this browser can use the code. */
  readonly binding?: ProofDigest
  /** The digest of the token in the mailed link; absent until the email is created. */
  readonly digest?: ProofDigest
  /** The hash of the mailed code. A slow hash, because an attacker who has stolen the store could otherwise guess the short code. */
  readonly codeHash?: PasswordHash
  /** How many times a code was tried. */
  readonly attempts: number
}

/**
 * The secrets of a new email, which replace the secrets of the previous email. A login proof gets its account only when the email is
 * created, so that a request for an unknown email costs as much as a request for a known email.
 */
export type ProofRenewal = Pick<Proof, 'id' | 'until' | 'codeHash' | 'accountId' | 'epoch'> & {
  readonly digest: ProofDigest
}

/** Returns the code as it was hashed: users may type it in lower case, with spaces or with hyphens. */
export function presentedProofCode(text: string): string {
  return text.toUpperCase().replace(/[\s-]/g, '')
}
