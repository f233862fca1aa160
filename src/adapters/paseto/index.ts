export { createPasetoFormat, type PasetoFormatOptions } from './token-format.js'
