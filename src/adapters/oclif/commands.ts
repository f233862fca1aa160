import type { Command } from '@oclif/core'
import type { CommandParts } from './command.js'
import { COMMAND_MODULES } from './command-modules.js'
import { DESCRIBED } from './described.js'

/** Functions that load a command, keyed by command ID. */
export type CommandLoaders = Readonly<Record<string, () => Promise<Command.Class>>>

/** Returns loaders for all commands of this program; no command depends on a particular store. */
export function createCommands(parts: CommandParts): CommandLoaders {
  const loaders = Object.entries(DESCRIBED.modules).map(([id, at]) => [id, loaderOf(id, at, parts)])
  return Object.fromEntries(loaders) as CommandLoaders
}

function loaderOf(id: string, at: number, parts: CommandParts): CommandLoaders[string] {
  return async () => {
    const make = (await COMMAND_MODULES[at]?.())?.COMMANDS[id]
    if (!make) throw new TypeError(`The module of the command ${id} does not define the command.`)
    return make(parts)
  }
}
