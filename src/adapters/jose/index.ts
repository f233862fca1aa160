export { createJoseFormat, type JoseFormatOptions } from './token-format.js'
