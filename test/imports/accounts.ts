import type { TOTP } from 'otpauth'

/** An account of the previous system, with what its owner and the operator know about it. */
export type PreviousAccount = {
  readonly email: string
  readonly password: string
  readonly roles: readonly string[]
  readonly disabled: boolean
  readonly hasFactor: boolean
}

/** The accounts in a file, as operators export them, and the second factors that the system created, keyed by email. */
export type Export = {
  readonly file: string
  readonly accounts: readonly PreviousAccount[]
  readonly factors: ReadonlyMap<string, TOTP>
}

/**
 * Starts the real system, creates accounts in it, exports them, and stops the system. `path` is the folder of the installed system, and
 * `folder` is an empty folder for its data.
 */
export type PreviousSystem = (
  path: string,
  folder: string,
  accounts: readonly PreviousAccount[],
) => Promise<Export>

/** Systems may treat these passwords differently, because normalization differs and bcrypt limits the length. */
const PASSWORDS = [
  (index: number) => `correct horse battery ${index}`,
  (index: number) => `Zoe\u0308 et Ame\u0301lie ${index}`,
  (index: number) => `the \ufb01fth \u2116 ${index}`,
  (index: number) => `${index}-`.padEnd(72, 'abcdefgh'),
  (index: number) => `\u{1f436} and \u{1f408} ${index}`,
]
const ROLES = [['editor'], ['editor', 'walker'], [], [], []]

/** Returns accounts with all combinations of these passwords and roles; disabled accounts have no second factor. */
export function createAccounts(count: number): readonly PreviousAccount[] {
  return Array.from({ length: count }, (_, index) => ({
    email: `owner-${index}@example.com`,
    password: PASSWORDS[index % 5]?.(index) ?? '',
    roles: ROLES[Math.floor(index / 5) % 5] ?? [],
    disabled: index % 7 === 6,
    hasFactor: index % 3 === 1 && index % 7 !== 6,
  }))
}
