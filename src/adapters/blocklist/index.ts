/** Entry point `kennel-id/blocklist`: the blocklist of common passwords. */
export { createPasswordBlocklist } from './password-blocklist.js'
export { readPasswordFile } from './password-file.js'
