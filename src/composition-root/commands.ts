import { CommandError } from '../adapters/oclif/command-context.js'
import { createCommands } from '../adapters/oclif/commands.js'
import { systemRandomness } from '../adapters/system/index.js'
import { ConfigurationError } from '../configuration/configuration-error.js'
import { typedPath } from '../configuration/environment.js'

/** How each command is loaded; everything heavy is imported by the command that needs it, when it runs. */
export const COMMANDS = createCommands({
  open: async (options) =>
    await configured(async () => await (await import('./command-context.js')).openCommandContext(options)),
  loadAuthorize: async () =>
    await configured(async () => (await import('./command-context.js')).configuredAuthorize()),
  start: async (options) => await configured(async () => await (await import('./serve.js')).serve(options)),
  generatePassphrase: async () => {
    const { generatePassphrase } = await import('../adapters/keyring/passphrase.js')
    return generatePassphrase(systemRandomness)
  },
  typedPath,
})

/** What is wrong with the configuration is told by the names that the environment has. */
async function configured<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof ConfigurationError ? new CommandError(error.errors, error) : error
  }
}
