export { createOneTimeCodes } from './one-time-codes.js'
