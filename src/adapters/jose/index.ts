export type { Algorithm } from './header.js'
export type { JoseKey } from './ring.js'
export { createJoseFormat, type JoseFormatOptions } from './token-format.js'
