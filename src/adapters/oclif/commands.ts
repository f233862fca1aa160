import type { Command } from '@oclif/core'
import { createApiKeyCreate } from './apikey/create.js'
import { createApiKeyList } from './apikey/list.js'
import { createApiKeyRevoke } from './apikey/revoke.js'
import { createAuditList } from './audit/list.js'
import { createAutocomplete } from './autocomplete.js'
import { createKeyGenerate } from './key/generate.js'
import type { LoadAuthorize, OpenCommandContext } from './command-context.js'
import { createRoleCreate } from './role/create.js'
import { createRoleList } from './role/list.js'
import { createServe, type StartService } from './serve.js'
import { createSessionList } from './session/list.js'
import { createSessionRevoke } from './session/revoke.js'
import { createStoreCopy } from './store/copy.js'
import { createStorePurge } from './store/purge.js'
import { createUserCreate } from './user/create.js'
import { createUserDelete } from './user/delete.js'
import { createUserDisable } from './user/disable.js'
import { createUserEnable } from './user/enable.js'
import { createUserHelp } from './user/help.js'
import { createUserImport } from './user/import.js'
import { createUserList } from './user/list.js'
import { createUserPassword } from './user/password.js'
import { createUserRole } from './user/role.js'

export type CommandParts = {
  readonly open: OpenCommandContext
  readonly loadAuthorize: LoadAuthorize
  readonly start: StartService
  readonly generatePassphrase: () => Promise<string>
}

/** Every command by its id; no command knows a store. */
export function createCommands({
  open,
  loadAuthorize,
  start,
  generatePassphrase,
}: CommandParts): Record<string, Command.Class> {
  return {
    serve: createServe(start),
    'user:create': createUserCreate(open),
    'user:password': createUserPassword(open),
    'user:role': createUserRole(open),
    'user:list': createUserList(open),
    'user:disable': createUserDisable(open),
    'user:enable': createUserEnable(open),
    'user:delete': createUserDelete(open),
    'user:import': createUserImport(open),
    'user:help': createUserHelp(loadAuthorize),
    'role:create': createRoleCreate(open),
    'role:list': createRoleList(open),
    'session:list': createSessionList(open),
    'session:revoke': createSessionRevoke(open),
    'apikey:create': createApiKeyCreate(open),
    'apikey:list': createApiKeyList(open),
    'apikey:revoke': createApiKeyRevoke(open),
    'audit:list': createAuditList(open),
    'key:generate': createKeyGenerate(generatePassphrase),
    'store:purge': createStorePurge(open),
    'store:copy': createStoreCopy(open),
    autocomplete: createAutocomplete(),
  }
}
