import type { Command, Interfaces } from '@oclif/core'
import type { Commands } from './command.js'

/**
 * The command-line metadata of `package.json`, the topics, and the details of each command that help and completion show without loading
 * the command.
 */
export declare const DESCRIBED: {
  readonly name: string
  readonly version: string
  readonly description: string
  /** The names under which the command is installed; the first name is the main name. */
  readonly names: readonly string[]
  readonly oclif: Interfaces.PJSON['oclif']
  readonly commands: Readonly<Record<string, Command.Cached>>
}

/** Functions that load the file in `commands` that defines a command, keyed by command ID. */
export declare const COMMAND_FILES: Readonly<Record<string, () => Promise<{ readonly COMMANDS: Commands }>>>
