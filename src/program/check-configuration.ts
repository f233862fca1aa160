import type { StoreFlag } from '../adapters/oclif/command.js'
import { loadStoreModule } from '../composition-root/custom-parts/store-module.js'
import { loadBlocklist } from '../composition-root/infrastructure.js'
import { loadTemplates, loadTexts } from '../composition-root/open-parts.js'
import { OperatorError } from '../domain/refusal.js'
import { readConfiguration } from './read-configuration.js'

/**
 * Reads settings, permissions, the password blocklist, mail templates, page texts and the store module as the service does when it starts,
 * but opens no store and no socket. Resolves with the warnings; rejects with an `OperatorError` that lists all errors.
 */
export async function checkConfiguration({ store: storeModule }: StoreFlag): Promise<readonly string[]> {
  const { settings, warnings } = readConfiguration(storeModule)
  const { store } = settings
  const parts = [Promise.resolve(settings).then(loadBlocklist), loadTemplates(settings), loadTexts(settings)]
  const loading = store.kind === 'module' ? [...parts, loadStoreModule(store)] : parts
  const failed = (await Promise.allSettled(loading)).filter((one) => one.status === 'rejected')
  const errors = failed.flatMap(({ reason }) => errorsOf(reason))
  if (errors.length > 0) throw new OperatorError(errors)
  return warnings
}

function errorsOf(reason: unknown): readonly string[] {
  if (reason instanceof OperatorError) return reason.errors
  throw reason
}
