import type { RoleKey } from '../../domain/access/role.js'
import { Refusal } from '../../domain/refusal.js'

/** A role was named that is not in the role table. */
export function unknownRole(key: RoleKey): Refusal {
  return new Refusal('not-found', [
    { field: 'role', type: 'NotFound', message: `There is no role "${key}".` },
  ])
}
