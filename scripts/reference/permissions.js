import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { cell, code, table } from './table.js'

/** The effect of each action. */
const PERMITS = {
  auth: {
    login: 'to log in; `everyone` needs this action and `user: find`',
    'get-identity': 'to ask who is logged in',
    refresh: 'to renew a pair of tokens',
    logout: 'to log out',
    'reset-password':
      'to request a reset email and set a password with its token; permitted for `everyone` or not at all',
    'login-as': 'to act as another account, unless that account has this permission',
    'logout-as': 'to stop acting as another account',
    'change-password': '`POST /api/auth/change-password`',
    'list-sessions': '`GET /api/auth/sessions`: the logins of the account',
    'end-sessions': '`POST /api/auth/sessions/end`',
    'second-factor': "`/api/auth/second-factor`: to set up, show and remove the caller's own second factor",
    'delete-account': '`POST /api/auth/delete-account`',
  },
  user: {
    find: 'to look an account up at a login',
    list: '`app user list`, `app user duplicates`',
    show: '`app user show`',
    disable: '`app user disable`',
    enable: '`app user enable`',
    unlock: '`app user unlock`',
    email: '`app user email`',
    delete: '`app user delete`',
    import: '`app user import`, and a password hash instead of a password',
    'remove-factor': '`app user factor`',
    export: '`app user export`',
  },
  pets: {
    list: '`GET /v1/pets`',
    read: '`GET /v1/pets/{petId}`',
    create: '`POST /v1/pets`',
    update: '`PATCH /v1/pets/{petId}`',
    delete: '`DELETE /v1/pets/{petId}`',
  },
  project: {
    create: '`POST /api/project/create`',
    list: "`GET /api/project`: the caller's own projects",
    read: "`GET /api/project/{projectId}`: one of the caller's own projects",
    close: "`POST /api/project/close`: one of the caller's own projects",
  },
  'user-task': {
    create: '`app user create`',
    password: '`app user password`',
    role: '`app user role`, and roles in `app user create`, `app user import`, `app serve --import` and `app apikey create`',
    help: '`app user help`',
  },
  role: { create: '`app role create`', list: '`app role list`', delete: '`app role delete`' },
  session: { list: '`app session list`', revoke: '`app session revoke`' },
  apikey: { create: '`app apikey create`', list: '`app apikey list`', revoke: '`app apikey revoke`' },
  audit: { list: '`app audit list`' },
  store: { create: '`app store create`', purge: '`app store purge`', copy: '`app store copy`' },
}

const INTRODUCTION = `# Permission reference

This page lists every component and action that a [permission file](permissions.md) can name. The default is the built-in file,
[files/permissions.json](files/permissions.json).

## Built-in roles

| Role | Applies to |
| --- | --- |
| \`everyone\` | every request, with or without a login |
| \`guest\` | a request without an identity |
| \`user\` | a request with an identity: an account or an API key |
| \`cli\` | only the command line |

All other role names are keys in the role table. \`"inherit": ["reader"]\` adds the permissions of \`reader\`. \`"*"\` is all actions of a
component, also actions that a later release adds.

## Components and actions

The last column names the roles that have the permission in the built-in file. If this column is empty, only a custom file can permit the action. An account with the permission
of a command can do the same through the library, but not over HTTP.
`

/** The page of docs/operate/permission-reference.md. */
export async function permissionReference(build) {
  const { ACTIONS } = await accessModule(build, 'components.js')
  const { DEFAULT_PERMISSIONS } = await accessModule(build, 'permissions.js')
  expectSame(
    namesOf(ACTIONS),
    namesOf(Object.fromEntries(Object.entries(PERMITS).map(([one, all]) => [one, Object.keys(all)]))),
  )
  const rows = Object.entries(ACTIONS).flatMap(([component, actions]) =>
    actions.map((action) => [
      code(component),
      code(action),
      cell(PERMITS[component][action]),
      rolesOf(DEFAULT_PERMISSIONS.roles, component, action).map(code).join(', '),
    ]),
  )
  return `${INTRODUCTION}${table(['Component', 'Action', 'Permits', 'Built in for'], rows)}`
}

/** The built-in permissions as a file to start from. */
export async function builtInPermissions(build) {
  const { DEFAULT_PERMISSIONS } = await accessModule(build, 'permissions.js')
  return JSON.stringify(DEFAULT_PERMISSIONS)
}

function accessModule(build, name) {
  return import(pathToFileURL(join(build, 'domain', 'access', name)).href)
}

function namesOf(components) {
  return Object.entries(components).flatMap(([component, actions]) =>
    actions.map((action) => `${component}: ${action}`),
  )
}

function expectSame(known, told) {
  const wrong = [
    ...known.filter((name) => !told.includes(name)),
    ...told.filter((name) => !known.includes(name)),
  ]
  if (wrong.length > 0) throw new Error(`scripts/reference/permissions.js is wrong about ${wrong.join(', ')}`)
}

/** The roles with the permission in the built-in file, including roles that inherit it. */
function rolesOf(roles, component, action) {
  const permits = (role) => {
    const { components = {}, inherit = [] } = roles[role]
    const actions = components[component] ?? []
    return actions.includes('*') || actions.includes(action) || inherit.some(permits)
  }
  return Object.keys(roles).filter(permits)
}
