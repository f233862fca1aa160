import { roleKey, type RoleKey } from '../../domain/access/role.js'
import { parseFields } from '../fields.js'
import { refuseField, type Refusal } from '../../domain/refusal.js'

/** Each key once. Refuses with `invalid` if a text does not have the form of a key. */
export function roleKeys(texts: readonly string[]): RoleKey[] {
  return [...new Set(texts)].map((text) => parseFields({ role: roleKey(text) }).role)
}

export function unknownRole(key: RoleKey): Refusal {
  return refuseField('not-found', 'role', 'NotFound', `There is no role "${key}".`)
}
