import { emailWords, isMostlyContext, nameWords } from '../../domain/identity/context-words.js'
import { foldedPassword } from '../../domain/identity/folded-password.js'
import type { PasswordBlocklist } from '../../ports/password-blocklist.js'
import { listOfLines, type PasswordList } from './password-list.js'

/** How our blocklist is made. */
export type PasswordBlocklistOptions = {
  /** Names of the product and of its hosts, such as `pets.example`: no password is to be little more than one of them. */
  readonly names?: readonly string[] | undefined
  /** Passwords beside the 10,000 commonest; see `readPasswordFile`. */
  readonly list?: PasswordList | undefined
}

/** Refuses the 10,000 commonest passwords, which are loaded when the first one is judged, and context words. */
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
