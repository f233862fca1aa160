export { createJoseSigner, type JoseSignerOptions } from './token-signer.js'
