import type { Command } from '@oclif/core'
import type { LoadAuthorize, OpenCommandContext, TypedPath } from './command-context.js'
import type { StartService } from './serve.js'

export type CommandParts = {
  readonly open: OpenCommandContext
  readonly loadAuthorize: LoadAuthorize
  readonly start: StartService
  readonly generatePassphrase: () => Promise<string>
  readonly typedPath: TypedPath
}

/** How each command is loaded, by its id. */
export type CommandLoaders = Readonly<Record<string, () => Promise<Command.Class>>>

/** Every command by its id, each in a module of its own that is loaded when it is run; none knows a store. */
export function createCommands({
  open,
  loadAuthorize,
  start,
  generatePassphrase,
  typedPath,
}: CommandParts): CommandLoaders {
  return {
    serve: async () => (await import('./serve.js')).createServe(start, typedPath),
    'user:create': async () => (await import('./user/create.js')).createUserCreate(open),
    'user:password': async () => (await import('./user/password.js')).createUserPassword(open),
    'user:role': async () => (await import('./user/role.js')).createUserRole(open),
    'user:list': async () => (await import('./user/list.js')).createUserList(open),
    'user:duplicates': async () => (await import('./user/duplicates.js')).createUserDuplicates(open),
    'user:show': async () => (await import('./user/show.js')).createUserShow(open),
    'user:disable': async () => (await import('./user/disable.js')).createUserDisable(open),
    'user:enable': async () => (await import('./user/enable.js')).createUserEnable(open),
    'user:delete': async () => (await import('./user/delete.js')).createUserDelete(open),
    'user:export': async () => (await import('./user/export.js')).createUserExport(open),
    'user:factor': async () => (await import('./user/factor.js')).createUserFactor(open),
    'user:import': async () => (await import('./user/import.js')).createUserImport(open, typedPath),
    'user:help': async () => (await import('./user/help.js')).createUserHelp(loadAuthorize),
    'role:create': async () => (await import('./role/create.js')).createRoleCreate(open),
    'role:list': async () => (await import('./role/list.js')).createRoleList(open),
    'session:list': async () => (await import('./session/list.js')).createSessionList(open),
    'session:revoke': async () => (await import('./session/revoke.js')).createSessionRevoke(open),
    'apikey:create': async () => (await import('./apikey/create.js')).createApiKeyCreate(open),
    'apikey:list': async () => (await import('./apikey/list.js')).createApiKeyList(open),
    'apikey:revoke': async () => (await import('./apikey/revoke.js')).createApiKeyRevoke(open),
    'audit:list': async () => (await import('./audit/list.js')).createAuditList(open),
    'key:generate': async () =>
      (await import('./key/generate.js')).createKeyGenerate(generatePassphrase, typedPath),
    'store:create': async () => (await import('./store/create.js')).createStoreCreate(open),
    'store:purge': async () => (await import('./store/purge.js')).createStorePurge(open),
    'store:copy': async () => (await import('./store/copy.js')).createStoreCopy(open),
    autocomplete: async () => (await import('./autocomplete.js')).createAutocomplete(),
  }
}
