import { accepted, broken, type Parsed } from '../parsed.js'
import { plainText } from '../text.js'

/**
 * The key of a role in permissions: letters, digits, `.`, `_` and `-`, starting with a letter or digit; 1 to 100
 * characters.
 */
export type RoleKey = string & { readonly brand: 'RoleKey' }

/** A row of the role table. */
export type Role = { readonly uuid: string; readonly key: RoleKey; readonly label: string }

const ROLE_LABEL_MAX = 200

/**
 * Whether a name in permissions is unambiguous: no separator, no `*`, and no name that every object inherits, such as
 * `toString`.
 */
export function isName(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(text) && !(text in {})
}

export function roleKey(text: string): Parsed<RoleKey> {
  return isName(text)
    ? accepted(text as RoleKey)
    : broken('Format', 'must have 1 to 100 letters, digits, dots, underscores or hyphens')
}

export function roleLabel(text: string): Parsed<string> {
  return plainText(text.trim(), ROLE_LABEL_MAX)
}
