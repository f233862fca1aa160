export type { SigningKey } from './ring.js'
export { createPasetoFormat, type PasetoFormatOptions } from './token-format.js'
