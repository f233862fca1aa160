import { roleKey, type RoleKey } from '../../domain/access/role.js'
import { parseFields } from '../fields.js'

/** Each key once. Refuses with `invalid` where one of them has not the form of a key. */
export function roleKeys(texts: readonly string[]): RoleKey[] {
  return [...new Set(texts)].map((text) => parseFields({ role: roleKey(text) }).role)
}
