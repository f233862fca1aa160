import type { Command, Interfaces } from '@oclif/core'

/** What `package.json` says of the command line, and of every command what help and completion show without loading it. */
export declare const DESCRIBED: {
  readonly name: string
  readonly version: string
  readonly description: string
  /** The names that the command is installed by; the first is its own. */
  readonly names: readonly string[]
  readonly oclif: Interfaces.PJSON['oclif']
  readonly commands: Readonly<Record<string, Command.Cached>>
}
