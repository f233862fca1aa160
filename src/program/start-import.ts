import type { ImportAtStart } from '../application/accounts/import-users.js'
import type { OperatorUseCases } from '../application/wiring.js'
import { OPERATOR } from '../domain/access/caller.js'
import type { Log } from '../ports/log.js'
import type { Settings } from '../configuration/derived.js'

const NO_ACCOUNT =
  'DATABASE_URL is memory: there is no account, and no command can make one; serve --import FILE brings some'

/**
 * Brings in the accounts that the service starts with. Without any it says of a store in memory that no user can
 * log in.
 */
export async function importAtStart(
  { store, permissions }: Settings,
  {
    useCases,
    log,
    importing,
  }: {
    useCases: Partial<Pick<OperatorUseCases, 'createRole'>> & Pick<OperatorUseCases, 'importUsers'>
    log: Log
    importing: ImportAtStart | undefined
  },
): Promise<void> {
  const isInMemory = store.kind === 'memory'
  if (!importing) {
    if (isInMemory) log.warn('configuration', { detail: NO_ACCOUNT })
    return
  }
  // No command can make a role there either, so those of the permission configuration are the role table.
  if (isInMemory) {
    for (const key of permissions.roles) await useCases.createRole?.({ caller: OPERATOR, key, label: key })
  }
  const { saved, unchanged } = await importing(useCases.importUsers)
  log.info('accounts imported', { count: saved, detail: `unchanged: ${unchanged}` })
}
