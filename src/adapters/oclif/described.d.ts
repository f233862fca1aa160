import type { Command, Interfaces } from '@oclif/core'

/**
 * The command-line metadata of `package.json`, and the details of each command that help and completion show without loading the command.
 */
export declare const DESCRIBED: {
  readonly name: string
  readonly version: string
  readonly description: string
  /** The names under which the command is installed; the first name is the main name. */
  readonly names: readonly string[]
  readonly oclif: Interfaces.PJSON['oclif']
  readonly commands: Readonly<Record<string, Command.Cached>>
  /** Position of each command's module in `COMMAND_MODULES`, keyed by command ID. */
  readonly modules: Readonly<Record<string, number>>
}
