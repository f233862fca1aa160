import { isActing, type Caller } from './caller.js'
import {
  OPERATOR_COMPONENTS,
  type Action,
  type Component,
  type Components,
  type NoComponents,
  type PermissionError,
} from './components.js'
import { checkRules, isBuiltIn, type CheckedRules, type PermissionRules } from './permission-rules.js'
import { roleKey, type RoleKey } from './role.js'
import type { StepUp } from './step-up.js'

/** Who has a permission: everyone, every authenticated caller (`user`), some roles, or no HTTP caller. */
export type GrantedTo = 'everyone' | 'user' | 'roles' | 'nobody'

/**
 * Whether a caller may perform an action, and the conditions: the caller must meet at least one of them. There are none if a role of the
 * caller permits the action unconditionally.
 */
export type Decision =
  { readonly conditions: readonly StepUp[] } | { readonly denial: 'impersonating' | 'not-permitted' }

/** Decides what callers may do. Denies every action that no role of the caller permits. */
export type Permissions<Own extends Components = NoComponents> = {
  /** The configured roles, without the built-in roles. */
  readonly roles: readonly RoleKey[]
  /** Whether any permission has a condition, see `conditions`. */
  readonly hasConditions: boolean
  /** Does not read a store, because the `caller` object already includes the roles of the caller. */
  decide<C extends Component<Own>>(caller: Caller, component: C, action: Action<C, Own>): Decision
  /** Returns whether the caller may perform the action, with or without a condition. */
  allows<C extends Component<Own>>(caller: Caller, component: C, action: Action<C, Own>): boolean
  /** Returns whether any role permits the action. */
  isPermitted<C extends Component<Own>>(component: C, action: Action<C, Own>): boolean
  /** Returns every action that the caller may perform, by component; components without such actions are omitted. */
  of(caller: Caller): Components
  /** Returns every permission of these roles, with or without a condition. Built-in roles have none, because no account can have them. */
  ofRoles(roles: readonly RoleKey[]): readonly (readonly [component: string, action: string])[]
  /** Returns which HTTP callers may perform the action. */
  grantedTo<C extends Component<Own>>(component: C, action: Action<C, Own>): GrantedTo
}

/**
 * Compiles the rules, so that `allows` needs one lookup per role. The rules may name `own` components in addition to the built-in ones (see
 * `componentErrors`). Returns all errors, not only the first.
 */
export function compilePermissions<const Own extends Components = NoComponents>(
  rules: PermissionRules,
  own?: Own,
):
  | { readonly ok: true; readonly permissions: Permissions<Own> }
  | { readonly ok: false; readonly errors: readonly PermissionError[] } {
  const checked = checkRules(rules, own)
  if ('errors' in checked) return { ok: false, errors: checked.errors }
  const { known, byRole } = checked
  const permissionsByRole = new Map(
    [...byRole].map(([role, all]) => [role, new Set(all.map(([permission]) => permission))]),
  )
  const decide = createDecide(permissionsByRole, byRole)
  return {
    ok: true,
    permissions: {
      hasConditions: [...byRole.values()].flat().some(([, condition]) => condition),
      roles: [...byRole.keys()].flatMap((role) => {
        const key = roleKey(role)
        return key.ok && !isBuiltIn(role) ? key.value : []
      }),
      decide,
      allows: (...asked) => 'conditions' in decide(...asked),
      isPermitted: (component, action) =>
        [...permissionsByRole.values()].some((permitted) => permitted.has(`${component}:${action}`)),
      of: (caller) =>
        Object.fromEntries(
          [...known].flatMap(([component, actions]) => {
            const allowed = actions.filter((one) => 'conditions' in decide(caller, component, one))
            return allowed.length > 0 ? [[component, allowed]] : []
          }),
        ),
      ofRoles: (roles) =>
        roles
          .flatMap((role) => [...((!isBuiltIn(role) && permissionsByRole.get(role)) || [])])
          .map((permission) => permission.split(':') as [string, string]),
      grantedTo: (component, action) => grantedTo(permissionsByRole, `${component}:${action}`),
    },
  }
}

const ALLOWED: Decision = { conditions: [] }
const IMPERSONATING: Decision = { denial: 'impersonating' }
const NOT_PERMITTED: Decision = { denial: 'not-permitted' }

function createDecide(permissionsByRole: ByRole, byRole: CheckedRules['byRole']) {
  const rules = [...byRole].flatMap(([role, all]) => all.map((rule) => [role, ...rule] as const))
  const conditional = new Set(rules.flatMap(([, name, condition]) => (condition ? [name] : [])))

  return (caller: Caller, component: string, action: string): Decision => {
    if (isActing(caller) && OPERATOR_COMPONENTS.has(component)) return IMPERSONATING
    const wanted = `${component}:${action}`
    if (!hasRole(caller, (role) => permissionsByRole.get(role)?.has(wanted) === true)) return NOT_PERMITTED
    if (!conditional.has(wanted)) return ALLOWED
    const found = rules.filter(([role, name]) => name === wanted && hasRole(caller, (one) => one === role))
    const conditions = found.flatMap(([, , condition]) => condition ?? [])
    return conditions.length === found.length ? { conditions } : ALLOWED
  }
}

type ByRole = ReadonlyMap<string, ReadonlySet<string>>

function grantedTo(permissionsByRole: ByRole, permission: string): GrantedTo {
  const roles = [...permissionsByRole]
    .filter(([, permitted]) => permitted.has(permission))
    .map(([role]) => role)
  if (roles.includes('everyone')) return 'everyone'
  if (roles.includes('user')) return 'user'
  return roles.some((role) => role === 'guest' || !isBuiltIn(role)) ? 'roles' : 'nobody'
}

function hasRole(caller: Caller, permitted: (role: string) => boolean): boolean {
  if (caller.kind === 'cli') return permitted('cli')
  if (permitted('everyone') || permitted(caller.kind === 'anonymous' ? 'guest' : 'user')) return true
  if (caller.kind === 'anonymous') return false
  return caller.roles.some(({ key }) => !isBuiltIn(key) && permitted(key))
}
