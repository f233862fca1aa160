import type { Command } from '@oclif/core'
import type { CommandParts, Commands } from './command.js'

/** Loads a command, by its ID. */
export type CommandLoaders = Readonly<Record<string, () => Promise<Command.Class>>>

type Load = () => Promise<{ readonly COMMANDS: Commands }>

/** Modules with the IDs of their commands; a module is loaded when its command runs. */
const MODULES: readonly (readonly [Load, ...ids: string[]])[] = [
  [() => import('./serve.js'), 'serve'],
  [() => import('./passwords.js'), 'user:create', 'user:password'],
  [() => import('./accounts.js'), 'user:role', 'user:show', 'user:disable', 'user:enable', 'user:delete'],
  [() => import('./accounts.js'), 'user:factor', 'session:revoke'],
  [() => import('./account-lists.js'), 'user:list', 'user:duplicates', 'session:list'],
  [() => import('./user-export.js'), 'user:export'],
  [() => import('./user-import.js'), 'user:import'],
  [() => import('./user-help.js'), 'user:help'],
  [() => import('./role.js'), 'role:create', 'role:list'],
  [() => import('./apikey.js'), 'apikey:create', 'apikey:list', 'apikey:revoke'],
  [() => import('./audit.js'), 'audit:list'],
  [() => import('./key.js'), 'key:generate'],
  [() => import('./store.js'), 'store:create', 'store:purge', 'store:copy'],
  [() => import('./autocomplete.js'), 'autocomplete'],
]

/** Every command of this program; no command depends on a particular store. */
export function createCommands(parts: CommandParts): CommandLoaders {
  const loaders = MODULES.flatMap(([load, ...ids]) => ids.map((id) => [id, loaderOf(load, id, parts)]))
  return Object.fromEntries(loaders) as CommandLoaders
}

function loaderOf(load: Load, id: string, parts: CommandParts): CommandLoaders[string] {
  return async () => {
    const make = (await load()).COMMANDS[id]
    if (!make) throw new TypeError(`There is no command ${id} in its module.`)
    return make(parts)
  }
}
