import { OperatorError } from '../../../domain/refusal.js'
import { textOf } from './sources/foreign-user.js'

/** Maps roles of another system to roles of this service. */
export type RoleMapping = {
  /**
   * Returns the role keys in a list of roles, or in text that contains such a list. Roles that do not exist here are omitted and counted.
   */
  readonly map: (roles: unknown) => string[]
  /**
   * Returns the number of accounts per role: `roles` by role key, and `unknownRoles`, which do not exist here, by name in the other system.
   */
  readonly counts: () => { readonly roles: Counts; readonly unknownRoles: Counts }
}

type Counts = Readonly<Record<string, number>>

/** Maximum number of different roles that are counted, so that a damaged file cannot fill the memory. */
const COUNTED_MAX = 1_000
const NAME_MAX = 100

/**
 * Creates a mapping to these `known` roles. An entry of `renamed` is `OLD=NEW`, or `OLD=` to omit a role; roles without an entry keep their
 * names. Throws an `OperatorError` if an entry has a different form, or if the new role does not exist.
 */
export function createRoleMapping(known: ReadonlySet<string>, renamed: readonly string[]): RoleMapping {
  const names = new Map(renamed.map((entry) => pairOf(entry)))
  const missing = [...names.values()].filter((name) => name !== '' && !known.has(name))
  if (missing.length > 0)
    throw new OperatorError(missing.map((name) => `--role: There is no role "${name}".`))
  const [roles, unknownRoles] = [new Map<string, number>(), new Map<string, number>()]
  return {
    map(texts) {
      const keys = new Set(rolesOf(texts).map((role) => names.get(role) ?? role))
      keys.delete('')
      for (const key of keys) count(known.has(key) ? roles : unknownRoles, key)
      return [...keys].filter((key) => known.has(key))
    },
    counts: () => ({ roles: Object.fromEntries(roles), unknownRoles: Object.fromEntries(unknownRoles) }),
  }
}

function pairOf(entry: string): readonly [string, string] {
  const at = entry.lastIndexOf('=')
  if (at < 1) throw new OperatorError([`--role: "${entry}" is not OLD=NEW.`])
  return [entry.slice(0, at), entry.slice(at + 1)]
}

function rolesOf(value: unknown): readonly string[] {
  const list: unknown[] = Array.isArray(value)
    ? value
    : textOf(value)
        .replace(/^[[{]|[\]}]$/g, '')
        .split(',')
  return list
    .map((role) =>
      textOf(role)
        .trim()
        .replace(/^"(.*)"$/, '$1'),
    )
    .filter((role) => role !== '' && role !== 'null')
}

function count(counts: Map<string, number>, role: string): void {
  const name = role.slice(0, NAME_MAX)
  if (counts.has(name) || counts.size < COUNTED_MAX) counts.set(name, (counts.get(name) ?? 0) + 1)
}
