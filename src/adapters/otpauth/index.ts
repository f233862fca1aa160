/** Entry point `kennel-id/otpauth`: one-time codes and recovery codes. */
export { createOneTimeCodes } from './one-time-codes.js'
