import { emailWords, isMostlyContext, nameWords, foldedPassword } from '../../domain/identity/password.js'
import type { PasswordBlocklist } from '../../ports/passwords.js'

export type PasswordList = {
  /** Returns whether the list contains the folded password. */
  has(folded: string): boolean
}

/** Options of the password blocklist. */
export type PasswordBlocklistOptions = {
  /** Names of the product and its hosts, such as `pets.example`; the blocklist rejects a password that consists mostly of these names. */
  readonly names?: readonly string[] | undefined
  /** Additional common passwords, for example from `readPasswordFile`. */
  readonly list?: PasswordList | undefined
}

/**
 * Creates a blocklist of the 10,000 most common passwords (loaded on first use) that also rejects passwords that are mostly context words.
 */
export function createPasswordBlocklist(options: PasswordBlocklistOptions = {}): PasswordBlocklist {
  const { names = [], list } = options
  const productWords = names.flatMap(nameWords)
  return {
    async refuses(password, { email }) {
      const folded = foldedPassword(password)
      if (list?.has(folded) || (await isCommon(folded))) return 'too-common'
      const words = email === undefined ? productWords : [...productWords, ...emailWords(email)]
      return isMostlyContext(folded, words) ? 'too-close-to-context' : undefined
    },
  }
}

async function isCommon(folded: string): Promise<boolean> {
  const { COMMON_PASSWORDS } = await import('./common-passwords.js')
  return listOfLines(COMMON_PASSWORDS).has(folded)
}

/**
 * Creates a password list from a string in which every password has a line break before and after it. Searching the string is fast compared
 * with hashing a password, and a `Set` would take ten times the memory.
 */
export function listOfLines(lines: string): PasswordList {
  return { has: (folded) => /^[^\n]+$/.test(folded) && lines.includes(`\n${folded}\n`) }
}
