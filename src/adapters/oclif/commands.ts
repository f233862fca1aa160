import type { Command } from '@oclif/core'
import { createApiKeyCreate } from './apikey-create.js'
import { createKeyGenerate } from './key-generate.js'
import type { OpenOperation } from './operation.js'
import { createRoleCreate } from './role-create.js'
import { createServe, type RunningService } from './serve.js'
import { createUserCreate } from './user-create.js'
import { createUserHelp } from './user-help.js'
import { createUserPassword } from './user-password.js'
import { createUserRole } from './user-role.js'

export type CommandParts = {
  readonly open: OpenOperation
  readonly start: () => Promise<RunningService>
  readonly generatePassphrase: () => string
}

/** Every command by its id; no command knows a store. */
export function createCommands({
  open,
  start,
  generatePassphrase,
}: CommandParts): Record<string, Command.Class> {
  return {
    serve: createServe(start),
    'user:create': createUserCreate(open),
    'user:password': createUserPassword(open),
    'user:role': createUserRole(open),
    'user:help': createUserHelp(),
    'role:create': createRoleCreate(open),
    'apikey:create': createApiKeyCreate(open),
    'key:generate': createKeyGenerate(generatePassphrase),
  }
}
