import type { Rows } from '../table.js'
import { createAssignRole } from './assign-role.js'
import { createCreateUser } from './create-user.js'
import { createDeleteUser } from './delete-user.js'
import { createDisableUser } from './disable-user.js'
import { createEnableUser } from './enable-user.js'
import { createExportUser } from './export-user.js'
import { createGetUser } from './get-user.js'
import { createImportUsers } from './import-users.js'
import { createListDuplicateUsers } from './list-duplicate-users.js'
import { createListUsers } from './list-users.js'
import { createReadUserFactor, createRemoveUserFactor } from './user-factor.js'
import { createSetAllPasswords } from './set-all-passwords.js'
import { createSetPassword } from './set-password.js'

/** What operators do with accounts. */
export const ACCOUNTS = {
  createUser: {
    factory: createCreateUser,
    parts: ['accounts', 'hashNewPassword', 'audit', 'clock'],
    permission: ['user-task', 'create'],
  },
  setPassword: {
    factory: createSetPassword,
    parts: ['accounts', 'hashNewPassword', 'notices', 'audit'],
    permission: ['user-task', 'password'],
  },
  setAllPasswords: {
    factory: createSetAllPasswords,
    parts: ['accounts', 'hashNewPassword', 'notices', 'audit', 'retrying'],
    optional: ['retrying'],
    permission: ['user-task', 'password'],
  },
  assignRole: {
    factory: createAssignRole,
    parts: ['roles', 'accounts', 'audit'],
    permission: ['user-task', 'role'],
  },
  listUsers: {
    factory: createListUsers,
    parts: ['accounts', 'roles'],
    optional: ['roles'],
    permission: ['user', 'list'],
  },
  listDuplicateUsers: {
    factory: createListDuplicateUsers,
    parts: ['accounts'],
    permission: ['user', 'list'],
  },
  getUser: {
    factory: createGetUser,
    parts: ['accounts', 'sessions', 'auditLog', 'clock'],
    optional: ['auditLog'],
    permission: ['user', 'show'],
  },
  disableUser: {
    factory: createDisableUser,
    parts: ['accounts', 'audit', 'clock'],
    permission: ['user', 'disable'],
  },
  enableUser: { factory: createEnableUser, parts: ['accounts', 'audit'], permission: ['user', 'enable'] },
  deleteUser: {
    factory: createDeleteUser,
    parts: ['accounts', 'audit', 'auditLog', 'mailQueue'],
    optional: ['auditLog', 'mailQueue'],
    permission: ['user', 'delete'],
  },
  exportUser: {
    factory: createExportUser,
    parts: [
      'accounts',
      'sessions',
      'secondFactors',
      'mailQueue',
      'projects',
      'auditLog',
      'audit',
      'clock',
      'retrying',
    ],
    optional: ['secondFactors', 'mailQueue', 'projects', 'auditLog', 'retrying'],
    permission: ['user', 'export'],
  },
  readUserFactor: {
    factory: createReadUserFactor,
    parts: ['accounts', 'secondFactors', 'factorRoles'],
    permission: ['user', 'remove-factor'],
  },
  removeUserFactor: {
    factory: createRemoveUserFactor,
    parts: ['accounts', 'secondFactors', 'notices', 'audit'],
    permission: ['user', 'remove-factor'],
  },
  importUsers: {
    factory: createImportUsers,
    parts: ['accounts', 'hasher', 'audit', 'clock'],
    permission: ['user', 'import'],
    atOnce: true,
  },
} as const satisfies Rows
