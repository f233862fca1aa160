import { CommandHelp, toConfiguredId, type Interfaces } from '@oclif/core'
import { OPERATOR } from '../../../domain/access/caller.js'
import { command, DEBUG_FLAG, type Commands } from '../command.js'
import { refusable } from '../task.js'

/** Commands that show or complete other commands. */
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
  autocomplete: command(
    {
      summary: 'Print a script that completes commands and flags in bash and zsh.',
      description:
        'For every shell: add "source <(<%= config.bin %> autocomplete)" to ~/.bashrc, or to ~/.zshrc after compinit.',
      examples: ['<%= config.bin %> autocomplete > completions.bash'],
    },
    async (completing) => {
      const { bin, binAliases = [], commands } = completing.config
      const rows = commands.map(({ id, flags }) =>
        [...id.split(':'), ...Object.keys(flags).map((name) => `--${name}`)].join(' '),
      )
      completing.log(script([bin, ...binAliases], rows.sort()))
      await Promise.resolve()
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

function script(names: readonly string[], rows: readonly string[]): string {
  return `if [ -n "\${ZSH_VERSION-}" ]; then autoload -U +X bashcompinit && bashcompinit; fi
_kennel_complete() {
  local current="\${COMP_WORDS[COMP_CWORD]}" typed="" row words rest found="" IFS=$' \\t\\n'
  [ "$COMP_CWORD" -gt 1 ] && typed="\${COMP_WORDS[*]:1:$((COMP_CWORD - 1))} "
  while IFS= read -r row; do
    words="\${row%% -*} "
    rest="\${row#"$typed"}"
    if [[ "$current" == -* ]]; then
      [[ "$typed" == "$words"* ]] && found="$found \${row#"$words"}"
    elif [[ "$row" == "$typed"* && "$rest" != -* ]]; then
      found="$found \${rest%% *}"
    fi
  done <<'ROWS'
${rows.join('\n')}
ROWS
  COMPREPLY=($(compgen -W "$found" -- "$current"))
}
complete -o default -F _kennel_complete ${names.join(' ')}`
}
