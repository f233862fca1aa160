export { createJoseSigner, type JoseSignerOptions, type SigningKey } from './token-signer.js'
