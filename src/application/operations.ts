// The operations of `openKennel`, the commands and the HTTP interface. A module that is imported as a whole exports only operations.
import * as apiKeys from './access/api-keys.js'
import { createRole, listRoles, deleteRole, assignRole } from './access/roles.js'
import * as sessions from './access/sessions.js'
import { exportUser } from './accounts/export-user.js'
import { importUsers } from './accounts/import-users.js'
import * as invitations from './accounts/invitations.js'
import { getUser, listDuplicateUsers, listUsers } from './accounts/list-users.js'
import * as userFactors from './accounts/user-factors.js'
import { sendResetMail, setAllPasswords, setPassword } from './accounts/user-passwords.js'
import * as userState from './accounts/user-state.js'
import { changeUserEmail, createUser, deleteUser } from './accounts/users.js'
import * as audit from './audit/list-audit.js'
import * as pets from './catalogue/pets.js'
import * as projects from './project/projects.js'
import type { Rows } from './table.js'

export const PETS = { ...pets }

export const PROJECTS = { ...projects }

/** The operations for operators, on accounts, roles, keys, sessions and the audit log. */
export const ADMINISTRATION = {
  ...{ createUser, changeUserEmail, deleteUser, exportUser, importUsers },
  ...{ listUsers, listDuplicateUsers, getUser, setPassword, setAllPasswords, sendResetMail },
  ...{ createRole, listRoles, deleteRole, assignRole },
  ...apiKeys,
  ...sessions,
  ...invitations,
  ...userFactors,
  ...userState,
  ...audit,
}

export const OPERATIONS = { ...PETS, ...PROJECTS, ...ADMINISTRATION } satisfies Rows
