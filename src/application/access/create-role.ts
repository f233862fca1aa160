import { roleKey, roleLabel } from '../../domain/access/role.js'
import { refuseField } from '../../domain/refusal.js'
import type { Randomness } from '../../ports/randomness.js'
import type { Roles } from '../../ports/roles.js'
import { fields, parseFields, text } from '../fields.js'
import { operation } from '../operation.js'

/**
 * Adds a role to the role table. Refuses with `invalid` (key or label) and `conflict` (the key exists). A role that the
 * permission file does not name permits nothing.
 */
export const createRole = operation({
  permission: ['role', 'create'],
  input: fields({ key: text, label: text }),
  parts: ['roles', 'randomness'],
  run:
    ({ roles, randomness }: { roles: Roles; randomness: Randomness }) =>
    async (input) => {
      const { key, label } = parseFields({ key: roleKey(input.key), label: roleLabel(input.label) })
      const role = { uuid: randomness.uuid(), key, label }
      if ((await roles.insert(role)) === 'inserted') return role
      throw refuseField('conflict', 'key', 'Duplicate', 'A role with this key exists already.')
    },
})
