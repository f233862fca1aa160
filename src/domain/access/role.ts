import { accepted, broken, type Parsed, plainText } from '../parsed.js'

/** Identifies a role in permissions: 1 to 100 letters, digits, `.`, `_` and `-`, beginning with a letter or digit. */
export type RoleKey = string & { readonly brand: 'RoleKey' }

/** A stored role. */
export type Role = { readonly uuid: string; readonly key: RoleKey; readonly label: string }

const ROLE_LABEL_MAX = 200

/**
 * Returns whether the string can be the name of a role, component or action. The string must not contain a separator or `*`, and must not
 * name a member that every object inherits, such as `toString`.
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
