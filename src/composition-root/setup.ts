import { passphraseFault, passphraseWarning } from '../adapters/keyring/index.js'
import { SetupFault } from '../adapters/oclif/operation.js'
import { compilePermissions, DEFAULT_PERMISSIONS, type Permissions } from '../domain/access/permissions.js'
import { loadConfiguration, type Configuration } from './configuration.js'
import { readPermissionsFile } from './permissions-file.js'

/** Everything that is read before anything is opened. */
export type Setup = {
  readonly configuration: Configuration
  readonly permissions: Permissions
  /** Sentences for the operator; none holds a value. */
  readonly warnings: readonly string[]
}

/** Reads configuration and permissions; throws one `SetupFault` with every fault of either. */
export function readSetup(): Setup {
  const outcome = loadConfiguration({ passphraseFault, passphraseWarning })
  if (!outcome.ok) throw new SetupFault(outcome.faults)
  const { configuration, warnings } = outcome
  const compiled =
    configuration.permissionsFile === undefined
      ? compilePermissions(DEFAULT_PERMISSIONS)
      : readPermissionsFile(configuration.permissionsFile)
  if (!compiled.ok) {
    throw new SetupFault(compiled.faults.map(({ path, rule }) => `PERMISSIONS_FILE: ${path} ${rule}`))
  }
  return { configuration, permissions: compiled.permissions, warnings }
}
