import type { ByCaller } from '../application/access/required-permissions.js'
import type { CreateApiKey } from '../application/access/create-api-key.js'
import type { CreateRole } from '../application/access/create-role.js'
import type { ListApiKeys } from '../application/access/list-api-keys.js'
import type { ListRoles } from '../application/access/list-roles.js'
import type { ListSessions } from '../application/access/list-sessions.js'
import type { RevokeApiKey } from '../application/access/revoke-api-key.js'
import type { RevokeSessions } from '../application/access/revoke-sessions.js'
import type { AssignRole } from '../application/accounts/assign-role.js'
import type { CreateUser } from '../application/accounts/create-user.js'
import type { DeleteUser } from '../application/accounts/delete-user.js'
import type { DisableUser } from '../application/accounts/disable-user.js'
import type { EnableUser } from '../application/accounts/enable-user.js'
import type { ImportUsers } from '../application/accounts/import-users.js'
import type { ListUsers } from '../application/accounts/list-users.js'
import type { SetAllPasswords } from '../application/accounts/set-all-passwords.js'
import type { SetPassword } from '../application/accounts/set-password.js'
import type { ListAudit } from '../application/audit/list-audit.js'
import type { Resolve } from '../composition-root/container.js'
import { TOKENS } from '../composition-root/tokens.js'

/** What operators do; each takes the caller, such as `OPERATOR`. */
export type OperatorUseCases = {
  readonly createUser: ByCaller<CreateUser>
  readonly setPassword: ByCaller<SetPassword>
  readonly setAllPasswords: ByCaller<SetAllPasswords>
  readonly assignRole: ByCaller<AssignRole>
  readonly listUsers: ByCaller<ListUsers>
  readonly disableUser: ByCaller<DisableUser>
  readonly enableUser: ByCaller<EnableUser>
  readonly deleteUser: ByCaller<DeleteUser>
  readonly importUsers: ByCaller<ImportUsers>
  readonly createRole: ByCaller<CreateRole>
  readonly listRoles: ByCaller<ListRoles>
  readonly createApiKey: ByCaller<CreateApiKey>
  readonly listApiKeys: ByCaller<ListApiKeys>
  readonly revokeApiKey: ByCaller<RevokeApiKey>
  readonly listSessions: ByCaller<ListSessions>
  readonly revokeSessions: ByCaller<RevokeSessions>
  readonly listAudit: ByCaller<ListAudit>
}

export function operatorUseCases(resolve: Resolve): OperatorUseCases {
  return {
    createUser: resolve(TOKENS.createUser),
    setPassword: resolve(TOKENS.setPassword),
    setAllPasswords: resolve(TOKENS.setAllPasswords),
    assignRole: resolve(TOKENS.assignRole),
    listUsers: resolve(TOKENS.listUsers),
    disableUser: resolve(TOKENS.disableUser),
    enableUser: resolve(TOKENS.enableUser),
    deleteUser: resolve(TOKENS.deleteUser),
    importUsers: resolve(TOKENS.importUsers),
    createRole: resolve(TOKENS.createRole),
    listRoles: resolve(TOKENS.listRoles),
    createApiKey: resolve(TOKENS.createApiKey),
    listApiKeys: resolve(TOKENS.listApiKeys),
    revokeApiKey: resolve(TOKENS.revokeApiKey),
    listSessions: resolve(TOKENS.listSessions),
    revokeSessions: resolve(TOKENS.revokeSessions),
    listAudit: resolve(TOKENS.listAudit),
  }
}
