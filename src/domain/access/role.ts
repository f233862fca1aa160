import { broken, type Parsed } from '../parsed.js'
import { plainText } from '../text.js'

/**
 * The key of a role in permissions: letters, digits, `.`, `_` and `-`, starting with a letter or digit; 1 to 100
 * characters.
 */
export type RoleKey = string & { readonly brand: 'RoleKey' }

/** A row of the role table. */
export type Role = { readonly uuid: string; readonly key: RoleKey; readonly label: string }

const ROLE_KEY_MAX = 100
const ROLE_LABEL_MAX = 200

export function roleKey(text: string): Parsed<RoleKey> {
  const fine = text.length <= ROLE_KEY_MAX && /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(text) && !(text in {})
  return fine
    ? { ok: true, value: text as RoleKey }
    : broken('Format', `must have 1 to ${ROLE_KEY_MAX} letters, digits, dots, underscores or hyphens`)
}

export function roleLabel(text: string): Parsed<string> {
  return plainText(text.trim(), ROLE_LABEL_MAX)
}
