import { Command } from '@oclif/core'

/** Of bash, and of zsh by its emulation. */
export function createAutocomplete(): Command.Class {
  return class Autocomplete extends Command {
    static override summary = 'Print a script that completes commands and flags in bash and zsh.'
    static override description =
      'For every shell: add "source <(<%= config.bin %> autocomplete)" to ~/.bashrc, or to ~/.zshrc after compinit.'
    static override examples = ['<%= config.bin %> autocomplete > completions.bash']

    async run(): Promise<void> {
      await this.parse()
      const { bin, binAliases = [], commands } = this.config
      const rows = commands.map(({ id, flags }) =>
        [...id.split(':'), ...Object.keys(flags).map((name) => `--${name}`)].join(' '),
      )
      this.log(script([bin, ...binAliases], rows.sort()))
    }
  }
}

/** The rows are the words of a command and then its flags. */
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
