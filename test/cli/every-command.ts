import { COMMAND_FILES, DESCRIBED } from '../../src/adapters/oclif/described.js'

type Step = readonly [command: string, status: 0 | 1 | 2, input?: string]

/** Commands that create the data for later commands, including some that are rejected. */
const BEGIN: readonly Step[] = [
  ['role create editor Editor', 0],
  ['role create editor Editor', 1],
  ['user create ada@example.com --password-stdin', 0, 'a good long password'],
  ['user password ada@example.com --password-stdin', 0, 'another good password'],
  ['apikey create Shop --role editor', 0],
]
const END: readonly Step[] = [
  ['user factor ada@example.com --remove', 1],
  ['user passkey ada@example.com --remove none', 1],
  ['user reset-mail ada@example.com', 1, ''],
  ['user invite ada@example.com', 1, ''],
  ['user approve ada@example.com', 1, ''],
  ['invitation send none', 1, ''],
  ['invitation revoke none', 1, ''],
  ['user import -', 1, '{"email":"eve@example.com"}\n{"email":"no email"}\n'],
  ['apikey revoke 1', 0],
  ['key generate', 0],
  ['audit list --since yesterday', 2],
  ['store copy --to sqlite:./copy.db', 0],
  ['user email ada@example.com Ada@Example.com', 0],
  ['role delete editor', 1],
  ['user delete ada@example.com', 0],
  ['role delete editor', 0],
  ['user promote', 2],
]

export function idOf(command: string): string {
  return command.split(' ').slice(0, 2).join(':')
}

/** Returns the first help example, without redirections, of each command that no other step runs. */
function examples(): readonly Step[] {
  const listed = [...BEGIN, ...END].flatMap(([command, status, input]) =>
    status === 0 || input !== undefined ? [idOf(command)] : [],
  )
  const ids = Object.keys(COMMAND_FILES).filter((id) => id !== 'serve' && !listed.includes(id))
  return ids.map((id) => {
    const [example = ''] = DESCRIBED.commands[id]?.examples ?? []
    const command = typeof example === 'string' ? example : example.command
    return [command.replace('<%= config.bin %> ', '').replace(/ [<>] .*/, ''), 0]
  })
}

/** Every command except serve, in an order that prepares the data, including rejected commands and incorrect usage. */
export const STEPS: readonly Step[] = [...BEGIN, ...examples(), ...END]
