import type { Commands } from './command.js'

type Load = () => Promise<{ readonly COMMANDS: Commands }>

/**
 * The modules of all commands. The build script loads all modules to generate `described.js`, which contains the position of each command's
 * module; at run time, each command loads only its own module.
 */
export const COMMAND_MODULES: readonly Load[] = [
  () => import('./serve.js'),
  () => import('./passwords.js'),
  () => import('./accounts.js'),
  () => import('./account-lists.js'),
  () => import('./invitations.js'),
  () => import('./user-export.js'),
  () => import('./user-passkey.js'),
  () => import('./user-import.js'),
  () => import('./user-help.js'),
  () => import('./role.js'),
  () => import('./apikey.js'),
  () => import('./audit.js'),
  () => import('./key.js'),
  () => import('./store.js'),
  () => import('./upgrade.js'),
  () => import('./config.js'),
  () => import('./autocomplete.js'),
]
