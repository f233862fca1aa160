import { emailWords, isMostlyContext, nameWords, foldedPassword } from '../../domain/identity/password.js'
import type { PasswordBlocklist } from '../../ports/password-blocklist.js'

export type PasswordList = {
  /** Whether the list has this folded password. */
  has(folded: string): boolean
}

/** Passwords that a blocklist refuses in addition to the built-in passwords. */
export type PasswordBlocklistOptions = {
  /** Names of the product and its hosts, such as `pets.example`; a password made mostly of them is refused. */
  readonly names?: readonly string[] | undefined
  /** More common passwords, for example from `readPasswordFile`. */
  readonly list?: PasswordList | undefined
}

/** Refuses the 10,000 most common passwords (loaded on first use) and passwords made mostly of context words. */
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
 * A list over a text that has a line break before and after each password. Searching the text is fast compared with a
 * password hash, and a set would take ten times the memory.
 */
export function listOfLines(lines: string): PasswordList {
  return { has: (folded) => /^[^\n]+$/.test(folded) && lines.includes(`\n${folded}\n`) }
}
