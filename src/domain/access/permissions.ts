import type { Caller } from './caller.js'
import {
  ACTIONS,
  componentErrors,
  NO_COMPONENTS,
  type Action,
  type Component,
  type Components,
  type NoComponents,
  type PermissionError,
} from './components.js'
import { roleKey, type RoleKey } from './role.js'

/** Roles that always exist. The store cannot redefine these roles. */
const BUILT_IN_ROLES = ['everyone', 'guest', 'user', 'cli'] as const

/** A role's permissions: actions by component (`*` for all), plus the permissions of the roles it inherits. */
export type RoleRules = {
  readonly components?: Components
  readonly inherit?: readonly string[]
}
/** Permissions by role. `everyone`, `guest`, `user` and `cli` always exist; any other key is the key of a stored role. */
export type PermissionRules = { readonly roles: Readonly<Record<string, RoleRules>> }

/** `PermissionRules` that the compiler checks: every component and action must be built in or come from `Own`. */
export type TypedPermissionRules<Own extends Components = NoComponents> = {
  readonly roles: Readonly<
    Record<
      string,
      {
        readonly components?: { readonly [C in Component<Own>]?: readonly (Action<C, Own> | '*')[] }
        readonly inherit?: readonly string[]
      }
    >
  >
}

/** The permissions that apply if no others are configured. */
export const DEFAULT_PERMISSIONS = {
  roles: {
    everyone: { components: { auth: ['login', 'get-identity', 'refresh', 'logout'], user: ['find'] } },
    user: {
      components: {
        auth: ['change-password', 'list-sessions', 'end-sessions', 'second-factor'],
        pets: ['list', 'read', 'create', 'update'],
      },
    },
    'project-editor': { components: { project: ['create'] } },
    admin: { components: { auth: ['login-as', 'logout-as'] }, inherit: ['project-editor'] },
    cli: {
      components: {
        'user-task': ['create', 'password', 'role', 'help'],
        user: ['*'],
        role: ['*'],
        session: ['*'],
        apikey: ['*'],
        audit: ['*'],
        store: ['*'],
      },
    },
  },
} as const satisfies TypedPermissionRules

/** Who has a permission: everyone, every authenticated caller (`user`), some roles, or no HTTP caller. */
export type GrantedTo = 'everyone' | 'user' | 'roles' | 'nobody'

/** Decides what callers may do. Denies every action that no role of the caller permits. */
export type Permissions<Own extends Components = NoComponents> = {
  /** The configured roles, without the built-in roles. */
  readonly roles: readonly RoleKey[]
  /** Does not read a store, because the `caller` object already includes the roles of the caller. */
  allows<C extends Component<Own>>(caller: Caller, component: C, action: Action<C, Own>): boolean
  /** Returns whether any role permits the action. */
  isPermitted<C extends Component<Own>>(component: C, action: Action<C, Own>): boolean
  /** Returns every action that the caller may perform, by component; a component without such an action is absent. */
  of(caller: Caller): Components
  /** Returns the first permission, such as `user: delete`, that these roles have and the caller lacks; `undefined` if there is none. */
  beyond(caller: Caller, roles: readonly RoleKey[]): string | undefined
  /** Returns which HTTP callers may perform the action. */
  grantedTo<C extends Component<Own>>(component: C, action: Action<C, Own>): GrantedTo
}

/**
 * Compiles the rules, so that `allows` needs one lookup per role. The rules may name `own` components in addition to the built-in ones (see
 * `componentErrors`). Returns all errors together.
 */
export function compilePermissions<const Own extends Components = NoComponents>(
  rules: PermissionRules,
  own?: Own,
):
  | { readonly ok: true; readonly permissions: Permissions<Own> }
  | { readonly ok: false; readonly errors: readonly PermissionError[] } {
  const roles = new Map(Object.entries(rules.roles))
  const known = new Map(Object.entries<readonly string[]>({ ...ACTIONS, ...own }))
  const subject = { roles, known }
  const errors = [
    ...componentErrors(own ?? NO_COMPONENTS),
    ...[...roles].flatMap(([role, rule]) => errorsOf(subject, role, rule)),
  ]
  if (errors.length > 0) return { ok: false, errors }
  const permissionsByRole = new Map([...roles.keys()].map((role) => [role, permissionsOf(subject, role)]))
  return {
    ok: true,
    permissions: {
      roles: [...roles.keys()].flatMap((role) => {
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
      beyond: (caller, roles) =>
        roles
          .flatMap((role) => [...((!isBuiltIn(role) && permissionsByRole.get(role)) || [])])
          .find((permission) => !rolesAllow(permissionsByRole, caller, permission))
          ?.replace(':', ': '),
      grantedTo: (component, action) => grantedTo(permissionsByRole, `${component}:${action}`),
    },
  }
}

type Roles = ReadonlyMap<string, RoleRules>
type KnownActions = ReadonlyMap<string, readonly string[]>
type Subject = { readonly roles: Roles; readonly known: KnownActions }

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
  const permitted = (role: string) => permissionsByRole.get(role)?.has(permission) === true
  if (caller.kind === 'cli') return permitted('cli')
  if (permitted('everyone') || permitted(caller.kind === 'anonymous' ? 'guest' : 'user')) return true
  if (caller.kind === 'anonymous') return false
  return caller.roles.some(({ key }) => !isBuiltIn(key) && permitted(key))
}

function isBuiltIn(role: string): boolean {
  return BUILT_IN_ROLES.some((one) => one === role)
}

function errorsOf({ roles, known }: Subject, role: string, rule: RoleRules): PermissionError[] {
  const path = `roles.${role}`
  if (role in {}) return [{ path, rule: 'is not a valid role name' }]
  return [
    ...Object.entries(rule.components ?? {}).flatMap(([component, actions]) =>
      actionErrors(`${path}.components.${component}`, actions, { known, component }),
    ),
    ...(rule.inherit ?? []).flatMap((parent, index) =>
      roles.has(parent)
        ? []
        : [{ path: `${path}.inherit[${index}]`, rule: `names the unknown role "${parent}"` }],
    ),
    ...(ancestorsOf(roles, role).has(role) ? [{ path: `${path}.inherit`, rule: 'is a cycle' }] : []),
  ]
}

function actionErrors(
  path: string,
  actions: readonly string[],
  { known, component }: { readonly known: KnownActions; readonly component: string },
): PermissionError[] {
  const possible = known.get(component)
  if (!possible) return [{ path, rule: `is an unknown component; known are ${[...known.keys()].join(', ')}` }]
  return actions.flatMap((action, index) =>
    action === '*' || possible.includes(action)
      ? []
      : [
          {
            path: `${path}[${index}]`,
            rule: `names the unknown action "${action}"; known are *, ${possible.join(', ')}`,
          },
        ],
  )
}

function ancestorsOf(roles: Roles, role: string): ReadonlySet<string> {
  const found = new Set<string>()
  const waiting = [...(roles.get(role)?.inherit ?? [])]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (found.has(next)) continue
    found.add(next)
    waiting.push(...(roles.get(next)?.inherit ?? []))
  }
  return found
}

function permissionsOf({ roles, known }: Subject, role: string): ReadonlySet<string> {
  const lineage = [role, ...ancestorsOf(roles, role)]
  return new Set(
    lineage.flatMap((one) =>
      Object.entries(roles.get(one)?.components ?? {}).flatMap(([component, actions]) =>
        expand(known, component, actions),
      ),
    ),
  )
}

function expand(known: KnownActions, component: string, actions: readonly string[]): string[] {
  const all = actions.includes('*') ? (known.get(component) ?? []) : actions
  return all.map((action) => `${component}:${action}`)
}
