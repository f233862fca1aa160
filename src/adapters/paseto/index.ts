export type { PasetoKey } from './ring.js'
export { createPasetoFormat } from './create-paseto-format.js'
export type { PasetoFormatOptions } from './token-format.js'
