import {
  UsageError,
  type CommandContext,
  type CopyTo,
  type OpenOptions,
  type StoreFlag,
} from '../adapters/oclif/command.js'
import { createCommandRetries } from '../adapters/oclif/progress.js'
import { createLog } from '../adapters/pino/index.js'
import { createAuthorize, type Authorize } from '../application/access/authorize.js'
import { createRetrying } from '../application/retrying.js'
import { systemClock } from '../adapters/system/index.js'
import { typedPath } from '../configuration/environment.js'
import { passphraseOf } from '../configuration/development-passphrase.js'
import { databaseUrl, type DatabaseChoice } from '../configuration/storage.js'
import { OPERATOR } from '../domain/access/caller.js'
import type { Operations } from '../application/wiring.js'
import type { Log } from '../ports/log.js'
import type { PartialStore } from '../ports/store.js'
import type { Settings } from '../configuration/derived.js'
import { operatorPassword } from '../application/accounts/passwords.js'
import { secretSealLoader } from '../composition-root/credentials.js'
import { composeOperations } from '../composition-root/service.js'
import { infrastructureOf } from '../composition-root/infrastructure.js'
import { openStore } from '../composition-root/open-parts.js'
import { PASSPHRASES, readConfiguration } from './read-configuration.js'

/**
 * Logs to standard error, because standard output is reserved for the JSON document. Audit records are logged if `AUDIT` includes `log`.
 */
function operatorLog({ audit }: Settings): Log {
  return createLog({ level: audit.includes('log') ? 'info' : 'warn', pretty: false, destination: 2 })
}

export function configuredAuthorize({ store }: StoreFlag = {}): Authorize {
  return createAuthorize(readConfiguration(store).settings.permissions)
}

/** Opens the store and creates the use cases for a command, which has no other access to the store. */
export async function openCommandContext(options: OpenOptions): Promise<CommandContext> {
  const { store: storeModule, creating, say } = options
  const { settings } = readConfiguration(storeModule)
  if (settings.store.kind === 'memory')
    throw new UsageError('DATABASE_URL is memory, so no store is available to commands.')
  const log = operatorLog(settings)
  const create = creating === 'always' || (creating === 'outside-production' && !settings.production)
  let isNew = false
  const onCreated = (place: string) => {
    isNew = true
    say(createdLine(place))
  }
  const store = await openStore(settings, { log, create, onCreated, upgrade: false })
  const { stateless, statelessRevocation, userModelName, production } = settings
  const useCases = composeOperations(await givenOf(settings, store, log), (missing) => {
    const ports = missing.map((part) => (part === 'auditLog' ? 'audit' : part)).join(', ')
    throw new UsageError(`This store has no ${ports}, which the command needs.`)
  })
  // Extends the given object, because a copy would create every use case.
  return Object.assign(useCases, {
    passwordOrHash: (text: string) => operatorPassword(useCases.hasher, text),
    clock: systemClock,
    copyTo: copyTo(useCases, { settings, log, say }),
    isNew,
    ...(stateless && statelessRevocation === 'none' && { accessTokensOutlive: settings.accessTokenTtl }),
    userModelName,
    production,
    close: () => store.close(),
  })
}

function fromTypedPath(database: DatabaseChoice): DatabaseChoice {
  return database.kind === 'sqlite' ? { ...database, path: typedPath(database.path) } : database
}

function createdLine(place: string): string {
  return `A new, empty store was created: ${place}`
}

/** Opens the target for the duration of the copy. Rejects with a `UsageError` for a URL that is not the URL of a store. */
function copyTo(
  useCases: Pick<Operations, 'authorize' | 'copyStore'>,
  { settings, log, say }: Pick<OpenOptions, 'say'> & { readonly settings: Settings; readonly log: Log },
): CopyTo {
  return async ({ url, ...input }) => {
    const choice = databaseUrl(url)
    if (!choice.ok) throw new UsageError(`--to ${choice.rule}`)
    // These checks must run before `openStore` creates the target.
    const { copyStore } = useCases
    useCases.authorize(OPERATOR, 'store', 'copy')
    const onCreated = (place: string) => say(createdLine(place))
    const database = { ...settings, store: fromTypedPath(choice.value) }
    const target = await openStore(database, { log, onCreated, upgrade: false })
    try {
      if (!target.copyableRecords) throw new UsageError('--to specifies a store that does not keep its data.')
      return await copyStore({ ...input, caller: OPERATOR, target: target.copyableRecords })
    } finally {
      await target.close()
    }
  }
}

/** Closes the store if the configuration needs a port that the store lacks. */
async function givenOf(settings: Settings, store: PartialStore, log: Log) {
  const { copyableRecords } = store
  try {
    const retrying = createRetrying(createCommandRetries())
    return {
      ...infrastructureOf(settings, { store, log }),
      retrying,
      loadSecretSeal: secretSealLoader(settings, () => passphraseOf(settings, log, PASSPHRASES)),
      ...(copyableRecords && { copyableRecords }),
    }
  } catch (error) {
    await store.close()
    throw error
  }
}
