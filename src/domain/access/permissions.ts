import type { Caller } from './caller.js'
import { roleKey, type RoleKey } from './role.js'

/** Every action that can be permitted, by component. What is not here cannot be configured. */
export const ACTIONS = {
  auth: ['login', 'get-identity', 'refresh', 'logout', 'reset-password', 'login-as', 'logout-as'],
  user: ['find', 'list', 'disable', 'enable', 'delete', 'import'],
  pets: ['list', 'read', 'create', 'update'],
  project: ['create'],
  'user-task': ['create', 'password', 'role', 'help'],
  role: ['create', 'list'],
  session: ['list', 'revoke'],
  apikey: ['create', 'list', 'revoke'],
  audit: ['list'],
  store: ['purge', 'copy'],
} as const

/** What actions belong to, such as `pets`. */
export type Component = keyof typeof ACTIONS
/** An action of one component, such as `list`. */
export type Action<C extends Component> = (typeof ACTIONS)[C][number]

/** Roles that are there by themselves. A row of the role table with such a key gains nothing. */
const BUILT_IN_ROLES = ['everyone', 'guest', 'user', 'cli'] as const

/** What one role is permitted: actions by component, `*` for all of one, and what the roles that it inherits are. */
export type RoleRules = {
  readonly components?: Readonly<Record<string, readonly string[]>>
  readonly inherit?: readonly string[]
}
/**
 * Permissions by role. `everyone`, `guest`, `user` and `cli` are there by themselves, all others are keys
 * of the role table.
 */
export type PermissionRules = { readonly roles: Readonly<Record<string, RoleRules>> }

/** In force where nothing else is configured. */
export const DEFAULT_PERMISSIONS: PermissionRules = {
  roles: {
    everyone: { components: { auth: ['login', 'get-identity', 'refresh', 'logout'], user: ['find'] } },
    user: { components: { pets: ['list', 'read', 'create', 'update'] } },
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
}

/** An error in a permission configuration, at a path such as `roles.admin.inherit[0]`. */
export type PermissionError = { readonly path: string; readonly rule: string }

/** Who has a permission: everyone, every identity (`user`), those of some roles, or no caller at all. */
export type GrantedTo = 'everyone' | 'user' | 'roles' | 'nobody'

/** Which caller may do what. An action that no role of the caller permits is denied. */
export type Permissions = {
  /** Those of the role table that the configuration names. */
  readonly roles: readonly RoleKey[]
  /** Reads no store: the roles are those that the caller brought. */
  allows<C extends Component>(caller: Caller, component: C, action: Action<C>): boolean
  /** Whether any role at all permits it. */
  isPermitted<C extends Component>(component: C, action: Action<C>): boolean
  /** Which callers over HTTP are permitted it. */
  grantedTo<C extends Component>(component: C, action: Action<C>): GrantedTo
}

/**
 * Compiles the rules once; `allows` is then a look-up for each role of the caller.
 * Returns all errors at once where there are some.
 */
export function compilePermissions(
  rules: PermissionRules,
):
  | { readonly ok: true; readonly permissions: Permissions }
  | { readonly ok: false; readonly errors: readonly PermissionError[] } {
  const errors = [...Object.entries(rules.roles)].flatMap(([role, rule]) => errorsOf(rules, role, rule))
  if (errors.length > 0) return { ok: false, errors }
  const permissionsByRole = new Map(
    Object.keys(rules.roles).map((role) => [role, permissionsOf(rules, role)]),
  )
  return {
    ok: true,
    permissions: {
      roles: Object.keys(rules.roles).flatMap((role) => {
        const key = roleKey(role)
        return key.ok && !isBuiltIn(role) ? key.value : []
      }),
      allows: (caller, component, action) => rolesAllow(permissionsByRole, caller, `${component}:${action}`),
      isPermitted: (component, action) =>
        [...permissionsByRole.values()].some((permitted) => permitted.has(`${component}:${action}`)),
      grantedTo: (component, action) => grantedTo(permissionsByRole, `${component}:${action}`),
    },
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
  const permitted = (role: string) => permissionsByRole.get(role)?.has(permission) === true
  if (caller.kind === 'cli') return permitted('cli')
  if (permitted('everyone') || permitted(caller.kind === 'anonymous' ? 'guest' : 'user')) return true
  if (caller.kind === 'anonymous') return false
  return caller.roles.some(({ key }) => !isBuiltIn(key) && permitted(key))
}

function isBuiltIn(role: string): boolean {
  return BUILT_IN_ROLES.some((one) => one === role)
}

function errorsOf(rules: PermissionRules, role: string, rule: RoleRules): PermissionError[] {
  const path = `roles.${role}`
  if (role in {}) return [{ path, rule: 'is not a possible name of a role' }]
  return [
    ...Object.entries(rule.components ?? {}).flatMap(([component, actions]) =>
      componentErrors(`${path}.components.${component}`, component, actions),
    ),
    ...(rule.inherit ?? []).flatMap((parent, index) =>
      Object.hasOwn(rules.roles, parent)
        ? []
        : [{ path: `${path}.inherit[${index}]`, rule: `names the unknown role "${parent}"` }],
    ),
    ...(inheritsItself(rules, role) ? [{ path: `${path}.inherit`, rule: 'is a cycle' }] : []),
  ]
}

function componentErrors(path: string, component: string, actions: readonly string[]): PermissionError[] {
  if (!Object.hasOwn(ACTIONS, component))
    return [{ path, rule: `is an unknown component; known are ${Object.keys(ACTIONS).join(', ')}` }]
  const known: readonly string[] = ACTIONS[component as Component]
  return actions.flatMap((action, index) =>
    action === '*' || known.includes(action)
      ? []
      : [
          {
            path: `${path}[${index}]`,
            rule: `names the unknown action "${action}"; known are *, ${known.join(', ')}`,
          },
        ],
  )
}

function inheritsItself(rules: PermissionRules, role: string): boolean {
  return ancestorsOf(rules, role).has(role)
}

function ancestorsOf(rules: PermissionRules, role: string): ReadonlySet<string> {
  const found = new Set<string>()
  const waiting = [...(ruleOf(rules, role)?.inherit ?? [])]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (found.has(next)) continue
    found.add(next)
    waiting.push(...(ruleOf(rules, next)?.inherit ?? []))
  }
  return found
}

function ruleOf(rules: PermissionRules, role: string): RoleRules | undefined {
  return Object.hasOwn(rules.roles, role) ? rules.roles[role] : undefined
}

function permissionsOf(rules: PermissionRules, role: string): ReadonlySet<string> {
  const lineage = [role, ...ancestorsOf(rules, role)]
  return new Set(
    lineage.flatMap((one) =>
      Object.entries(ruleOf(rules, one)?.components ?? {}).flatMap(([component, actions]) =>
        expand(component as Component, actions),
      ),
    ),
  )
}

function expand(component: Component, actions: readonly string[]): string[] {
  const all: readonly string[] = actions.includes('*') ? ACTIONS[component] : actions
  return all.map((action) => `${component}:${action}`)
}
