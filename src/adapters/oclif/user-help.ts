import { CommandHelp, toConfiguredId, type Interfaces } from '@oclif/core'
import { OPERATOR } from '../../domain/access/caller.js'
import { command, DEBUG_FLAG, type Commands } from './command.js'
import { refusable } from './task.js'

/** The command that shows the commands for accounts. */
export const COMMANDS: Commands = {
  'user:help': command(
    {
      summary: 'Show the commands for user accounts.',
      description: 'Lists every command of the topic with its usage. Needs no store.',
      examples: ['<%= config.bin %> user help'],
      flags: DEBUG_FLAG,
    },
    async (showing, _args, { debug }, { loadAuthorize }) => {
      await refusable(showing, debug, async () => {
        const authorize = await loadAuthorize()
        authorize(OPERATOR, 'user-task', 'help')
        showing.log(usagesOf(showing.config).join('\n\n'))
      })
    },
  ),
}

/** Formats the usage line that `--help` shows below USAGE. */
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
