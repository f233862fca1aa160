/** Entry point `kennel-id/paseto`: tokens in PASETO format. */
export { createPasetoFormat } from './token-format.js'
