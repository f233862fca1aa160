import { basename } from 'node:path'
import { Errors, execute, handle, type Command, type Interfaces } from '@oclif/core'
import { COMMAND_FILES, DESCRIBED } from './described.js'
import { isOutOfDescriptors, unforeseen } from './errors.js'
import { watchStandardStreams } from './output.js'
import { commandError } from './misspelt.js'
import type { CommandParts } from './command.js'

/**
 * Runs the command that the process arguments specify, and sets the exit status. `folder` contains the program. oclif receives the commands
 * and their help texts as values, so it does not search for files or load user plugins.
 */
export async function runCommandLine(loaders: CommandLoaders, folder: string): Promise<void> {
  watchStandardStreams(process)
  const pjson = manifestFor(basename(process.argv[1] ?? ''))
  const { commands, oclif } = DESCRIBED
  const program = { bin: pjson.oclif.bin ?? pjson.name, commands, topics: oclif.topics ?? {} }
  const error = commandError(process.argv.slice(2), program)
  if (error) {
    await handle(error)
    return
  }
  const plugin = rootPlugin(pjson, { help: loadHelp, ...loaders }, folder)
  await execute({ loadOptions: { root: folder, pjson, plugins: new Map([[plugin.name, plugin]]) } })
}

async function loadHelp(): Promise<Command.Class> {
  return (await import('@oclif/plugin-help')).commands.help
}

/** The command is installed under two names; help, completions and errors use the name that the user typed. */
function manifestFor(program: string): Interfaces.PJSON {
  const { names, oclif, name, version, description } = DESCRIBED
  const about = { name, version, description }
  const bin = names.find((one) => one === program) ?? oclif.bin ?? about.name
  return { ...about, oclif: { ...oclif, bin, binAliases: names.filter((one) => one !== bin) } }
}

function rootPlugin(pjson: Interfaces.PJSON, loaders: CommandLoaders, root: string): Interfaces.Plugin {
  const { name, version } = pjson
  const type = 'core'
  const load = async (id: string): Promise<Command.Class> => {
    const loaded = await loaders[id]?.().catch((error: unknown) => {
      // By default, oclif would print a stack trace, which would not explain the limit to an operator.
      throw isOutOfDescriptors(error) ? new Errors.CLIError(unforeseen(error), { exit: 1 }) : error
    })
    if (!loaded) throw new TypeError(`There is no command ${id}.`)
    return Object.assign(loaded, { id, plugin })
  }
  const plugin: Interfaces.Plugin = {
    ...{ _base: '', alias: name, name, version, type, root, pjson, moduleType: 'module', options: { root } },
    ...{ isRoot: true, valid: true, hasManifest: true, hooks: {}, commandsDir: undefined },
    topics: Object.entries(pjson.oclif.topics ?? {}).map(([topic, described]) => ({
      ...described,
      name: topic,
    })),
    commandIDs: Object.keys(DESCRIBED.commands),
    commands: Object.entries(DESCRIBED.commands).map(([id, described]) => ({
      ...described,
      pluginAlias: name,
      pluginType: type,
      load: () => load(id),
    })),
    findCommand: load,
    load: () => Promise.resolve(),
  }
  return plugin
}

export type CommandLoaders = Readonly<Record<string, () => Promise<Command.Class>>>

/** Returns loaders for all commands of this program. */
export function createCommands(parts: CommandParts): CommandLoaders {
  const loaders = Object.entries(COMMAND_FILES).map(([id, load]) => [
    id,
    async () => (await load()).COMMANDS[id]?.(parts),
  ])
  return Object.fromEntries(loaders) as CommandLoaders
}
