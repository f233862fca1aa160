export type { PasetoKey } from './ring.js'
export { createPasetoFormat, type PasetoFormatOptions } from './token-format.js'
