export type { Algorithm } from './header.js'
export type { JoseKey } from './ring.js'
export { createSecretSeal, type SealingKey } from './secret-seal.js'
export { createJoseFormat, type JoseFormatOptions } from './token-format.js'
