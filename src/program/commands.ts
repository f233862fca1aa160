import { createCommands } from '../adapters/oclif/run.js'
import { systemClock, systemRandomness } from '../adapters/system/index.js'
import { typedPath } from '../configuration/environment.js'

/** Loads each command; a command imports heavy modules only when it runs. */
export const COMMANDS = createCommands({
  open: async (options) => await (await import('./command-context.js')).openCommandContext(options),
  loadAuthorize: async (options) => (await import('./command-context.js')).configuredAuthorize(options),
  start: async (options) => await (await import('./serve.js')).serve(options),
  checkConfiguration: async (options) =>
    await (await import('./check-configuration.js')).checkConfiguration(options),
  openUpgrades: async (options) => await (await import('./read-configuration.js')).openUpgrades(options),
  clock: systemClock,
  generatePassphrase: async () => {
    const { generatePassphrase } = await import('../adapters/keyring/passphrase.js')
    return generatePassphrase(systemRandomness)
  },
  typedPath,
})
