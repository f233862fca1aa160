export type { PasetoKey } from './key.js'
export { createPasetoFormat, type PasetoFormatOptions } from './token-format.js'
