export { createPasswordBlocklist, type PasswordBlocklistOptions } from './password-blocklist.js'
export { readPasswordFile, type LoadedPasswords } from './password-file.js'
export type { PasswordList } from './password-list.js'
