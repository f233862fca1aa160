/** Entry point `kennel-id/jose`: JWTs, and the encryption of stored secrets. */
export { createSecretSeal } from './secret-seal.js'
export { createJoseFormat } from './token-format.js'
