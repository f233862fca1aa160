import { isActing, type Caller } from './caller.js'
import {
  isOperatorComponent,
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

/** Decides what callers may do. Denies every action that no role of the caller permits. */
export type Permissions<Own extends Components = NoComponents> = {
  /** The configured roles, without the built-in roles. */
  readonly roles: readonly RoleKey[]
  /** Whether any permission has a condition, see `conditions`. */
  readonly hasConditions: boolean
  /**
   * Does not read a store, because the `caller` object already includes the roles of the caller. Does not check the conditions of the
   * permission.
   */
  allows<C extends Component<Own>>(caller: Caller, component: C, action: Action<C, Own>): boolean
  /**
   * Returns the conditions for the action; the caller must meet at least one condition. Empty if a role of the caller permits the action
   * unconditionally.
   */
  conditions(caller: Caller, component: string, action: string): readonly StepUp[]
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
  return {
    ok: true,
    permissions: {
      hasConditions: [...byRole.values()].flat().some(([, condition]) => condition),
      conditions: createConditions(byRole),
      roles: [...byRole.keys()].flatMap((role) => {
        const key = roleKey(role)
        return key.ok && !isBuiltIn(role) ? key.value : []
      }),
      allows: (caller, component, action) => rolesAllow(permissionsByRole, caller, `${component}:${action}`),
      isPermitted: (component, action) =>
        [...permissionsByRole.values()].some((permitted) => permitted.has(`${component}:${action}`)),
      of: (caller) =>
        Object.fromEntries(
          [...known].flatMap(([component, actions]) => {
            const allowed = actions.filter((one) =>
              rolesAllow(permissionsByRole, caller, `${component}:${one}`),
            )
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

const NONE: readonly StepUp[] = []

function createConditions(byRole: CheckedRules['byRole']): Permissions['conditions'] {
  const conditional = new Set(
    [...byRole.values()].flat().flatMap(([name, condition]) => (condition ? [name] : [])),
  )
  return (caller, component, action) => {
    const wanted = `${component}:${action}`
    if (!conditional.has(wanted)) return NONE
    const found = [...byRole]
      .filter(([role]) => hasRole(caller, (one) => one === role))
      .flatMap(([, rules]) => rules.filter(([permission]) => permission === wanted))
    return found.every(([, condition]) => condition)
      ? found.flatMap(([, condition]) => condition ?? [])
      : NONE
  }
}

function grantedTo(
  permissionsByRole: ReadonlyMap<string, ReadonlySet<string>>,
  permission: string,
): GrantedTo {
  const roles = [...permissionsByRole]
    .filter(([, permitted]) => permitted.has(permission))
    .map(([role]) => role)
  if (roles.includes('everyone')) return 'everyone'
  if (roles.includes('user')) return 'user'
  return roles.some((role) => role === 'guest' || !isBuiltIn(role)) ? 'roles' : 'nobody'
}

function rolesAllow(
  permissionsByRole: ReadonlyMap<string, ReadonlySet<string>>,
  caller: Caller,
  permission: string,
): boolean {
  if (isActing(caller) && isOperatorComponent(permission.split(':')[0] ?? '')) return false
  return hasRole(caller, (role) => permissionsByRole.get(role)?.has(permission) === true)
}

/** Returns whether `permitted` accepts any role that applies to the caller. */
function hasRole(caller: Caller, permitted: (role: string) => boolean): boolean {
  if (caller.kind === 'cli') return permitted('cli')
  if (permitted('everyone') || permitted(caller.kind === 'anonymous' ? 'guest' : 'user')) return true
  if (caller.kind === 'anonymous') return false
  return caller.roles.some(({ key }) => !isBuiltIn(key) && permitted(key))
}
