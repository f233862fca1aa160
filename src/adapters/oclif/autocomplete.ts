import { command, type Commands } from './command.js'

/** Prints a completion script for bash, which also works in zsh because zsh can emulate bash completion. */
export const COMMANDS: Commands = {
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

/** Each row contains the words of a command followed by its flags. */
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
