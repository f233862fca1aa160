export type { Algorithm } from './header.js'
export type { SigningKey } from './ring.js'
export { createJoseFormat, type JoseFormatOptions } from './token-format.js'
