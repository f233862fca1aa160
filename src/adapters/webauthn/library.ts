import type * as Main from '@simplewebauthn/server'
import type * as Helpers from '@simplewebauthn/server/helpers'
import { notEmpty, optionalPackageError } from '../optional-package.js'

const PACKAGE = '@simplewebauthn/server'

type Library = Pick<typeof Main, 'verifyRegistrationResponse' | 'verifyAuthenticationResponse'> &
  Pick<typeof Helpers, 'decodeAttestationObject'>

/** Throws a `missing-package` Refusal if the package is not installed. */
export async function loadLibrary(): Promise<Library> {
  try {
    const main = await import('@simplewebauthn/server')
    const helpers = await import('@simplewebauthn/server/helpers')
    notEmpty(PACKAGE, main, 'verifyAuthenticationResponse')
    return { ...main, ...helpers }
  } catch (error) {
    throw optionalPackageError(PACKAGE, error)
  }
}

/**
 * Throws if there is an attestation that the passkey itself did not sign. For all other formats the library checks certificates, and may
 * download revocation lists from addresses in them.
 */
export function assertUncertified(
  { decodeAttestationObject }: Pick<Library, 'decodeAttestationObject'>,
  attestationObject: string,
): void {
  const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')))
  const format = decoded.get('fmt')
  const isOwn = format === 'packed' && decoded.get('attStmt').get('x5c') === undefined
  if (format !== 'none' && !isOwn) throw new Error('the attestation has certificates')
}
