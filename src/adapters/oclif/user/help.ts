import { Command, CommandHelp, toConfiguredId, type Interfaces } from '@oclif/core'
import { OPERATOR } from '../../../domain/access/caller.js'
import { DEBUG_FLAG } from '../flags.js'
import type { LoadAuthorize } from '../command-context.js'
import { printNotSaved, refusable } from '../task.js'

export function createUserHelp(loadAuthorize: LoadAuthorize): Command.Class {
  return class UserHelp extends Command {
    static override summary = 'Show what can be done with user accounts.'
    static override description = 'Every command of the topic with its usage. Needs no store.'
    static override examples = ['<%= config.bin %> user help']
    static override flags = DEBUG_FLAG

    async run(): Promise<void> {
      const { flags } = await this.parse({ flags: DEBUG_FLAG })
      await refusable(
        this,
        flags.debug,
        async () => {
          const authorize = await loadAuthorize()
          authorize(OPERATOR, 'user-task', 'help')
          this.log(usagesOf(this.config).join('\n\n'))
        },
        async (errors) => await printNotSaved(this, errors),
      )
    }
  }
}

/** The line that `--help` shows below USAGE. */
class Usage extends CommandHelp {
  line(): string {
    return this.usage()
  }
}

function usagesOf(config: Interfaces.Config): string[] {
  const options = { maxWidth: Number.POSITIVE_INFINITY, stripAnsi: true }
  return config.commands
    .filter(({ id }) => id.startsWith('user:'))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .map((command) => {
      const named = { ...command, id: toConfiguredId(command.id, config) }
      return `${new Usage(named, config, options).line()}\n    ${command.summary ?? ''}`
    })
}
