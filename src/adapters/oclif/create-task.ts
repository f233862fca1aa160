import { Command, type Interfaces } from '@oclif/core'
import type { CommandContext, Creating, OpenCommandContext, StoreFlag } from './command-context.js'
import { STORE_FLAGS } from './flags.js'
import { runTask } from './task.js'

type Given = Record<string, unknown>

/** What differs between the commands that do one thing and print one JSON document. */
export type Task<A extends Given, F extends Given> = {
  readonly summary: string
  readonly description: string
  readonly examples: string[]
  readonly args?: Interfaces.ArgInput<A>
  readonly flags?: Interfaces.FlagInput<F>
  /** Whether it makes a store that does not exist; never, if it is left out. */
  readonly creating?: Creating
  /** Resolves with the document. */
  readonly work: (context: CommandContext, args: A, flags: F, command: Command) => Promise<object>
}

export function createTask<A extends Given, F extends Given>(
  open: OpenCommandContext,
  task: Task<A, F>,
): Command.Class {
  const ARGS = (task.args ?? {}) as Interfaces.ArgInput<A>
  const FLAGS = { ...task.flags, ...STORE_FLAGS } as Interfaces.FlagInput<F & StoreFlag & { debug: boolean }>
  return class TaskCommand extends Command {
    static override summary = task.summary
    static override description = task.description
    static override examples = task.examples
    static override args = ARGS
    static override flags = FLAGS

    async run(): Promise<void> {
      const { args, flags } = await this.parse({ args: ARGS, flags: FLAGS })
      const { creating = 'never', work } = task
      await runTask(this, { open, creating, ...flags }, (context) => work(context, args, flags, this))
    }
  }
}
