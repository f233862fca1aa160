import { emailWords, isMostlyContext, nameWords, foldedPassword } from '../../domain/identity/password.js'
import type { PasswordBlocklist } from '../../ports/password-blocklist.js'
import { listOfLines, type PasswordList } from './password-list.js'

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
