export { createPasswordBlocklist } from './password-blocklist.js'
export { readPasswordFile } from './password-file.js'
