export { createSecretSeal } from './secret-seal.js'
export { createJoseFormat } from './token-format.js'
