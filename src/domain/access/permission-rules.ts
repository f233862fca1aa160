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
import type { StepUp } from './step-up.js'

/** Roles that always exist. The store cannot redefine these roles. */
const BUILT_IN_ROLES = ['everyone', 'guest', 'user', 'cli'] as const

/** A permitted action, `*` for all actions, or actions with the condition that the caller's login must meet. */
export type ActionRule = string | Readonly<Record<string, StepUp>>

/** A role's permissions: actions by component, plus the permissions of the roles it inherits. */
export type RoleRules = {
  readonly components?: Readonly<Record<string, readonly ActionRule[]>>
  readonly inherit?: readonly string[]
}
/** Permissions by role. `everyone`, `guest`, `user` and `cli` always exist; any other key is the key of a stored role. */
export type PermissionRules = { readonly roles: Readonly<Record<string, RoleRules>> }

/** A condition in the form of the permission file: a duration is a number of milliseconds, or a string such as `10m`. */
export type StepUpRule = {
  /** The maximum time since the owner last proved their identity with the password. */
  readonly fresh?: number | string
  /** `true` requires a login with a second factor; a duration also limits the age of its last code. */
  readonly factor?: true | number | string
}

/** `PermissionRules` that the compiler checks: every component and action must be built in or come from `Own`. */
export type TypedPermissionRules<Own extends Components = NoComponents> = {
  readonly roles: Readonly<
    Record<
      string,
      {
        // Not a named type: the compiler then lists the known actions in the error for an unknown one.
        readonly components?: {
          readonly [C in Component<Own>]?: readonly (
            Action<C, Own> | '*' | { readonly [A in Action<C, Own>]?: StepUpRule }
          )[]
        }
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
        auth: ['change-password', 'list-sessions', 'end-sessions', 'second-factor', 'passkey', 'confirm'],
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

type Roles = ReadonlyMap<string, RoleRules>
type KnownActions = ReadonlyMap<string, readonly string[]>

/** Permission rules that name only existing roles, components and actions. */
export type CheckedRules = {
  readonly known: KnownActions
  /** The permissions of each role, including the inherited ones. */
  readonly byRole: ReadonlyMap<string, readonly Rule[]>
}
/** A permission such as `pets:list`, and its condition. */
export type Rule = readonly [permission: string, condition: StepUp | undefined]

/** Checks the rules, which may name `own` components, and adds inherited permissions; returns all errors if the rules are invalid. */
export function checkRules(
  rules: PermissionRules,
  own: Components = NO_COMPONENTS,
): CheckedRules | { readonly errors: readonly PermissionError[] } {
  const roles = new Map(Object.entries(rules.roles))
  const known = new Map(Object.entries<readonly string[]>({ ...ACTIONS, ...own }))
  const subject = { roles, known }
  const errors = [
    ...componentErrors(own),
    ...[...roles].flatMap(([role, rule]) => errorsOf(subject, role, rule)),
  ]
  if (errors.length > 0) return { errors }
  const byRole = new Map([...roles.keys()].map((role) => [role, rulesOf(subject, role)]))
  const all = [...byRole.values()].flat()
  const isConfirmable = all.some(([permission]) => permission === 'auth:confirm')
  if (!isConfirmable && all.some(([, condition]) => condition)) return { errors: [UNCONFIRMABLE] }
  return { known, byRole }
}

const UNCONFIRMABLE = {
  path: 'roles',
  rule: 'have conditions, so a role needs auth: confirm: without it, callers cannot meet the conditions again',
}

type Subject = { readonly roles: Roles; readonly known: KnownActions }

export function isBuiltIn(role: string): boolean {
  return BUILT_IN_ROLES.some((one) => one === role)
}

function errorsOf({ roles, known }: Subject, role: string, rule: RoleRules): PermissionError[] {
  const path = `roles.${role}`
  if (role in {}) return [{ path, rule: 'is not a valid role name' }]
  return [
    ...Object.entries(rule.components ?? {}).flatMap(([component, actions]) =>
      actionErrors(`${path}.components.${component}`, actions, { known, component, role }),
    ),
    ...(rule.inherit ?? []).flatMap((parent, index) =>
      roles.has(parent)
        ? []
        : [{ path: `${path}.inherit[${index}]`, rule: `names the unknown role "${parent}"` }],
    ),
    ...(ancestorsOf(roles, role).has(role) ? [{ path: `${path}.inherit`, rule: 'is a cycle' }] : []),
  ]
}

type Place = { readonly known: KnownActions; readonly component: string; readonly role: string }

function actionErrors(
  path: string,
  rules: readonly ActionRule[],
  { known, component, role }: Place,
): PermissionError[] {
  const possible = known.get(component)
  if (!possible) return [{ path, rule: `is an unknown component; known are ${[...known.keys()].join(', ')}` }]
  return rules.flatMap((rule, index) =>
    actionsOf(rule).flatMap(([action, condition]) => {
      const place = `${path}[${index}]${condition ? `.${action}` : ''}`
      if (action !== '*' && !possible.includes(action))
        return [
          { path: place, rule: `names the unknown action "${action}"; known are *, ${possible.join(', ')}` },
        ]
      const broken = condition && conditionError(role, `${component}:${action}`)
      return broken === undefined ? [] : [{ path: place, rule: broken }]
    }),
  )
}

function actionsOf(rule: ActionRule): readonly Rule[] {
  return typeof rule === 'string' ? [[rule, undefined]] : Object.entries(rule)
}

/** Actions that begin, continue or end a login, and the confirmation itself. These actions cannot have conditions. */
const ALWAYS_POSSIBLE: ReadonlySet<string> = new Set([
  ...['login', 'get-identity', 'refresh', 'logout', 'logout-as', 'confirm'].map((action) => `auth:${action}`),
  ...['auth:reset-password', 'auth:sign-up', 'auth:login-by-mail', 'user:find'],
])

function conditionError(role: string, permission: string): string | undefined {
  if (role === 'guest' || role === 'cli') return `has no effect: callers with the role ${role} have no login`
  if (permission.endsWith(':*')) return 'cannot have a condition: list each action that needs a recent proof'
  return ALWAYS_POSSIBLE.has(permission)
    ? 'cannot have a condition: every login needs this action'
    : undefined
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

function rulesOf({ roles, known }: Subject, role: string): readonly Rule[] {
  return [role, ...ancestorsOf(roles, role)].flatMap((one) =>
    Object.entries(roles.get(one)?.components ?? {}).flatMap(([component, rules]) =>
      rules.flatMap(actionsOf).flatMap(([action, condition]): readonly Rule[] => {
        const actions = action === '*' ? (known.get(component) ?? []) : [action]
        return actions.map((named) => [`${component}:${named}`, condition])
      }),
    ),
  )
}
