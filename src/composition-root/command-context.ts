import { UsageError, type CommandContext } from '../adapters/oclif/command-context.js'
import { createLog } from '../adapters/pino/index.js'
import { createAuthorize, type Authorize } from '../application/access/authorize.js'
import { systemClock } from '../adapters/system/index.js'
import type { Log } from '../ports/log.js'
import type { Configuration } from '../configuration/configuration.js'
import { operatorPassword } from '../application/accounts/hash-new-password.js'
import { composeUseCases } from './container.js'
import { createCopyTo } from './copy-to.js'
import { infrastructureOf } from './infrastructure.js'
import { openStore } from './open-store.js'
import { readSetup } from './setup.js'
import { TOKENS } from './tokens.js'

/** To standard error: standard output is the document's. Audit records are among it only where `AUDIT` has `log`. */
function operatorLog({ audit }: Configuration): Log {
  return createLog({ level: audit.targets.includes('log') ? 'info' : 'warn', pretty: false, destination: 2 })
}

/** What the permission configuration lets a caller do; no store is opened. */
export function configuredAuthorize(): Authorize {
  return createAuthorize(readSetup().configuration.permissions)
}

/** What a command works with; it sees use cases, never the store. */
export async function openCommandContext(): Promise<CommandContext> {
  const { configuration } = readSetup()
  if (configuration.database.kind === 'memory') {
    throw new UsageError('DATABASE_URL is memory: there is no store that a command could talk to.')
  }
  const store = await openStore(configuration.database)
  const { identity } = configuration
  const resolve = composeUseCases(infrastructureOf(configuration, { store, log: operatorLog(configuration) }))
  return {
    createUser: resolve(TOKENS.createUser),
    passwordOrHash: (text) => operatorPassword(resolve(TOKENS.hasher), text),
    setPassword: resolve(TOKENS.setPassword),
    setAllPasswords: resolve(TOKENS.setAllPasswords),
    assignRole: resolve(TOKENS.assignRole),
    createRole: resolve(TOKENS.createRole),
    createApiKey: resolve(TOKENS.createApiKey),
    listUsers: resolve(TOKENS.listUsers),
    disableUser: resolve(TOKENS.disableUser),
    enableUser: resolve(TOKENS.enableUser),
    deleteUser: resolve(TOKENS.deleteUser),
    importUsers: resolve(TOKENS.importUsers),
    listRoles: resolve(TOKENS.listRoles),
    listSessions: resolve(TOKENS.listSessions),
    revokeSessions: resolve(TOKENS.revokeSessions),
    listApiKeys: resolve(TOKENS.listApiKeys),
    revokeApiKey: resolve(TOKENS.revokeApiKey),
    purgeStore: resolve(TOKENS.purgeStore),
    listAudit: resolve(TOKENS.listAudit),
    clock: systemClock,
    copyTo: createCopyTo(resolve),
    ...(identity.stateless?.revocation === 'none' && {
      accessTokensOutlive: identity.lifetimes.accessToken,
    }),
    userModelName: identity.userModelName,
    production: configuration.production,
    close: () => store.close(),
  }
}
