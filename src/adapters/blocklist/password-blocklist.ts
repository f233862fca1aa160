import { emailWords, isMostlyContext, nameWords, foldedPassword } from '../../domain/identity/password.js'
import type { PasswordBlocklist } from '../../ports/password-blocklist.js'

export type PasswordList = {
  /** Whether the list has this folded password. */
  has(folded: string): boolean
}

/** Additional passwords and words of a blocklist. */
export type PasswordBlocklistOptions = {
  /** Names of the product and its hosts, such as `pets.example`: a password must be much more than a name. */
  readonly names?: readonly string[] | undefined
  /** Passwords in addition to the 10,000 most common; see `readPasswordFile`. */
  readonly list?: PasswordList | undefined
}

/** Refuses the 10,000 most common passwords, which are loaded on first use, and context words. */
export function createPasswordBlocklist(options: PasswordBlocklistOptions = {}): PasswordBlocklist {
  const { names = [], list } = options
  const known = names.flatMap(nameWords)
  return {
    async refuses(password, { email }) {
      const folded = foldedPassword(password)
      if (list?.has(folded) || (await isCommon(folded))) return 'too-common'
      const words = email === undefined ? known : [...known, ...emailWords(email)]
      return isMostlyContext(folded, words) ? 'too-close-to-context' : undefined
    },
  }
}

async function isCommon(folded: string): Promise<boolean> {
  const { COMMON_PASSWORDS } = await import('./common-passwords.js')
  return listOfLines(COMMON_PASSWORDS).has(folded)
}

/**
 * The list of a text with a line break before and after each password. Searching the text is fast compared with
 * a hash, and a set would take ten times the memory.
 */
export function listOfLines(lines: string): PasswordList {
  return { has: (folded) => /^[^\n]+$/.test(folded) && lines.includes(`\n${folded}\n`) }
}
