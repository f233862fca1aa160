import { isUtf8 } from 'node:buffer'
import { emailWords, isMostlyContext, nameWords, foldedPassword } from '../../domain/identity/password.js'
import type { PasswordBlocklist } from '../../ports/passwords.js'
import { withOpenedFile } from '../../configuration/opened-file.js'

type PasswordList = {
  has(folded: string): boolean
}

/** Options of the password blocklist. */
type PasswordBlocklistOptions = {
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
function listOfLines(lines: string): PasswordList {
  return { has: (folded) => /^[^\n]+$/.test(folded) && lines.includes(`\n${folded}\n`) }
}

/** The message in `error` completes a sentence that begins with the file name. */
type LoadedPasswords =
  { readonly ok: true; readonly list: PasswordList } | { readonly ok: false; readonly error: string }

const FLAWS = [
  [/[^\P{Cc}\n]/u, 'has a control character'],
  [/[^\n]{1025}/u, 'has more than 1024 characters'],
] as const

/**
 * Reads a UTF-8 file of up to 16 MB with one password per line, ignores empty lines, and folds the passwords. If a line cannot be a
 * password, the error gives its line number, so that operators notice if they chose a table or a JSON document by mistake.
 */
export function readPasswordFile(path: string): LoadedPasswords {
  try {
    return withOpenedFile(path, ({ read }) => listOf(read()))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === '') throw error
    return { ok: false, error: code === 'ENOENT' ? 'is missing' : `cannot be read: ${code}` }
  }
}

function listOf(bytes: Uint8Array): LoadedPasswords {
  if (!isUtf8(bytes)) return { ok: false, error: `line ${lineOfBadUtf8(bytes)} is not UTF-8` }
  const lines = new TextDecoder().decode(bytes).replaceAll('\r\n', '\n')
  for (const [flaw, rule] of FLAWS) {
    const at = flaw.exec(lines)?.index
    if (at !== undefined) return { ok: false, error: `line ${lineAt(lines, at)} ${rule}` }
  }
  const folded = foldedPassword(lines)
  return folded.trim() === ''
    ? { ok: false, error: 'contains no password' }
    : { ok: true, list: listOfLines(`\n${folded}\n`) }
}

function lineAt(lines: string, at: number): number {
  return lines.slice(0, at).split('\n').length
}

function lineOfBadUtf8(bytes: Uint8Array): number {
  let line = 1
  for (let from = 0; from < bytes.length; line += 1) {
    const end = bytes.indexOf(10, from)
    const to = end < 0 ? bytes.length : end
    if (!isUtf8(bytes.subarray(from, to))) return line
    from = to + 1
  }
  return line
}
