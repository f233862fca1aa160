import { isName } from './role.js'

/** All actions that permissions can name, by component. */
export const ACTIONS = {
  auth: [
    'login',
    'get-identity',
    'refresh',
    'logout',
    'reset-password',
    'login-as',
    'logout-as',
    'change-password',
    'list-sessions',
    'end-sessions',
    'second-factor',
    'delete-account',
    'sign-up',
    'change-email',
    'login-by-mail',
    'export-account',
    'confirm',
    'passkey',
  ],
  user: [
    'find',
    'list',
    'show',
    'disable',
    'enable',
    'unlock',
    'email',
    'delete',
    'import',
    'remove-factor',
    'reset-mail',
    'export',
    'invite',
    'approve',
  ],
  pets: ['list', 'read', 'create', 'update', 'delete'],
  project: ['create', 'list', 'read', 'close'],
  'user-task': ['create', 'password', 'role', 'help'],
  role: ['create', 'list', 'delete'],
  session: ['list', 'revoke'],
  apikey: ['create', 'list', 'revoke'],
  audit: ['list'],
  store: ['create', 'purge', 'copy', 'upgrade'],
} as const

/** The components whose actions affect other accounts, their keys and roles, or the whole store. */
export const OPERATOR_COMPONENTS: ReadonlySet<string> = new Set<keyof typeof ACTIONS>([
  'user',
  'user-task',
  'role',
  'session',
  'apikey',
  'audit',
  'store',
])

/** Actions by component. */
export type Components = Readonly<Record<string, readonly string[]>>
/** The type of `components` if there are no custom components. */
export type NoComponents = { readonly [Name in never]: readonly string[] }
export const NO_COMPONENTS: NoComponents = {}

/** A group of actions, such as `pets`. */
export type Component<Own extends Components = NoComponents> = keyof (typeof ACTIONS & Own) & string
/** An action of a component, such as `list`. */
export type Action<
  C extends Component<Own>,
  Own extends Components = NoComponents,
> = C extends keyof typeof ACTIONS ? (typeof ACTIONS)[C][number] : Own[C & keyof Own][number]

/** An error in a permission or component configuration, at a path such as `roles.admin.inherit[0]`. */
export type PermissionError = { readonly path: string; readonly rule: string }

const NO_NAME =
  'is not a valid name: names have 1 to 100 letters, digits, dots, underscores or hyphens, and begin with a letter or a digit'

export function componentErrors(own: Components): PermissionError[] {
  return Object.entries(own).flatMap(([component, actions]) => {
    const path = `components.${component}`
    if (Object.hasOwn(ACTIONS, component))
      return [{ path, rule: 'is a built-in component: choose a different name' }]
    if (!isName(component)) return [{ path, rule: NO_NAME }]
    if (actions.length === 0) return [{ path, rule: 'must name at least one action' }]
    return actions.flatMap((action, index) => {
      const rule = actionRule(action, actions.slice(0, index))
      return rule === undefined ? [] : [{ path: `${path}[${index}]`, rule }]
    })
  })
}

function actionRule(action: string, earlier: readonly string[]): string | undefined {
  if (!isName(action)) return NO_NAME
  return earlier.includes(action) ? `names the action "${action}" twice` : undefined
}
