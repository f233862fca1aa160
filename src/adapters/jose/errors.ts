import { errors } from 'jose'
import { TokenError } from '../../domain/identity/json-object.js'

/**
 * Describes an error with Kennel's own text, jose's error code or the class name, but never with jose's message, which could quote the
 * token.
 */
export function describeError(error: unknown): string {
  if (error instanceof TokenError) return error.message
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'signature verification failed'
  if (error instanceof errors.JOSEError) return `refused by jose: ${error.code}`
  return `unexpected ${error instanceof Error ? error.name : typeof error}`
}
