import { roleKey, type RoleKey } from '../../domain/access/role.js'
import { parseFields } from '../fields.js'
import { Refusal } from '../../domain/refusal.js'

/** Each key once. Refuses with `invalid` where one of them has not the form of a key. */
export function roleKeys(texts: readonly string[]): RoleKey[] {
  return [...new Set(texts)].map((text) => parseFields({ role: roleKey(text) }).role)
}

/** A role was named that is not in the role table. */
export function unknownRole(key: RoleKey): Refusal {
  return new Refusal('not-found', [
    { field: 'role', type: 'NotFound', message: `There is no role "${key}".` },
  ])
}
