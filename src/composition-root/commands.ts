import { createCommands } from '../adapters/oclif/commands.js'

/** What oclif's explicit strategy loads. Everything heavy is imported by the command that needs it. */
export const COMMANDS = createCommands({
  open: async () => await (await import('./command-context.js')).openCommandContext(),
  loadAuthorize: async () => (await import('./command-context.js')).configuredAuthorize(),
  start: async (options) => await (await import('./serve.js')).serve(options),
  generatePassphrase: async () => (await import('./key-generation.js')).generate(),
})
