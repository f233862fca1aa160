/** Every command except serve, in an order that prepares its data, and some that are rejected or wrongly used. */
export const STEPS: readonly (readonly [command: string, status: 0 | 1 | 2, input?: string])[] = [
  ['role create editor Editor', 0],
  ['role create editor Editor', 1],
  ['role list', 0],
  ['user create ada@example.com --password-stdin', 0, 'a good long password'],
  ['user password ada@example.com --password-stdin', 0, 'another good password'],
  ['user role ada@example.com editor', 0],
  ['user disable ada@example.com', 0],
  ['user enable ada@example.com', 0],
  ['user unlock ada@example.com', 0],
  ['user list', 0],
  ['user duplicates', 0],
  ['user export ada@example.com', 0],
  ['user show ada@example.com', 0],
  ['user factor ada@example.com', 0],
  ['user factor ada@example.com --remove', 1],
  ['user import -', 1, '{"email":"eve@example.com"}\n{"email":"no email"}\n'],
  ['user help', 0],
  ['session list ada@example.com', 0],
  ['session revoke ada@example.com', 0],
  ['apikey create Shop --role editor', 0],
  ['apikey list', 0],
  ['apikey revoke 1', 0],
  ['key generate', 0],
  ['config check', 0],
  ['audit list', 0],
  ['audit list --since yesterday', 2],
  ['store copy --to sqlite:./copy.db', 0],
  ['store purge', 0],
  ['store create', 0],
  ['user email ada@example.com Ada@Example.com', 0],
  ['role delete editor', 1],
  ['user delete ada@example.com', 0],
  ['role delete editor', 0],
  ['autocomplete', 0],
  ['user promote', 2],
]

/** The ID of a command, such as `user:create`. */
export function idOf(command: string): string {
  return command.split(' ').slice(0, 2).join(':')
}
