export { createPasetoFormat } from './token-format.js'
