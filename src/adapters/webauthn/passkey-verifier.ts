import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
  VerifiedRegistrationResponse,
} from '@simplewebauthn/server'
import type { JsonObject } from '../../domain/identity/json-object.js'
import {
  CHALLENGE_LIFETIME,
  knownTransports,
  passkeyIdIn,
  type Passkey,
  type PasskeyPublicKey,
} from '../../domain/identity/passkey.js'
import type { PasskeyVerifier, VerifiedAssertion, VerifiedRegistration } from '../../ports/passkeys.js'
import { decoyFor } from './decoys.js'
import { assertUncertified, loadLibrary } from './library.js'
import { readResponse, type ReadResponse } from './response.js'

/** The service to which passkeys belong. */
export type RelyingParty = {
  /** The RP ID: the domain to which passkeys are bound forever. */
  readonly id: string
  /** The origins whose pages may use passkeys. */
  readonly origins: readonly string[]
}

/** Ed25519, ES256 and RS256. Newer algorithms are omitted, because older versions of Node cannot verify their signatures. */
const ALGORITHMS = [-8, -7, -257]
const REASON_MAX = 200

/**
 * Creates a passkey verifier for this relying party. Needs an optional package: `npm install @simplewebauthn/server`. Rejects with a
 * `missing-package` Refusal if the package is not installed.
 */
export async function createPasskeyVerifier({ id: rpId, origins }: RelyingParty): Promise<PasskeyVerifier> {
  const library = await loadLibrary()
  const expected = { expectedOrigin: [...origins], expectedRPID: rpId, requireUserVerification: true }
  return {
    creationOptions: ({ challenge, owner, exclude }) => ({
      challenge,
      rp: { id: rpId, name: rpId },
      user: { id: base64url(owner.handle), name: owner.name, displayName: owner.name },
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
      timeout: CHALLENGE_LIFETIME,
      excludeCredentials: exclude.map(descriptorOf),
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
      attestation: 'none',
      extensions: { credProps: true },
    }),
    requestOptions: ({ challenge, allow = [] }) => ({
      challenge,
      rpId,
      timeout: CHALLENGE_LIFETIME,
      allowCredentials: allow.map(descriptorOf),
      userVerification: 'required',
    }),
    read: (response) => {
      const read = readResponse(response)
      if (!read) return undefined
      const { id, client, userHandle } = read
      const handle = userHandle === undefined ? undefined : Buffer.from(userHandle, 'base64url').toString()
      return { id, challenge: client.challenge, ...(handle !== undefined && { handle }) }
    },
    verifyRegistration: (response, expectedChallenge) =>
      judge<VerifiedRegistration>(response, async ({ attestationObject = '' }) => {
        assertUncertified(library, attestationObject)
        const outcome = await library.verifyRegistrationResponse({
          ...{ ...expected, expectedChallenge, supportedAlgorithmIDs: ALGORITHMS },
          response: response as unknown as RegistrationResponseJSON,
        })
        return registrationOf(outcome, response)
      }),
    verifyAssertion: (response, expectedChallenge, passkey) =>
      judge<VerifiedAssertion>(response, async ({ id }) => {
        const publicKey = passkey?.publicKey ?? decoyFor(response)
        const { verified, authenticationInfo } = await library.verifyAuthenticationResponse({
          ...{ ...expected, expectedChallenge },
          response: response as unknown as AuthenticationResponseJSON,
          // The counter 0 makes the library accept every counter; the store compares the counter in the same write that stores it.
          credential: { id, publicKey: Buffer.from(publicKey, 'base64url'), counter: 0 },
        })
        if (!passkey) return refused('no account has this passkey')
        if (passkey.id !== id) return refused('the response is for a different passkey')
        if (!verified) return refused('signature verification failed')
        const { newCounter: counter, credentialBackedUp: backedUp } = authenticationInfo
        return { kind: 'verified', counter, backedUp }
      }),
  }
}

type Refused = Extract<VerifiedAssertion, { readonly kind: 'refused' }>

function refused(reason: string): Refused {
  return { kind: 'refused', reason: reason.slice(0, REASON_MAX) }
}

/** Converts every library error to a refusal without the library's message, which may quote the response. */
async function judge<Outcome>(
  response: JsonObject,
  verify: (read: ReadResponse) => Promise<Outcome | Refused>,
): Promise<Outcome | Refused> {
  const read = readResponse(response)
  if (!read) return refused('the response is malformed')
  if (read.client.crossOrigin) return refused('the page was embedded in a page of another origin')
  try {
    return await verify(read)
  } catch (error) {
    return refused(error instanceof Error ? error.message : typeof error)
  }
}

function registrationOf(
  { verified, registrationInfo: info }: VerifiedRegistrationResponse,
  { response }: JsonObject,
): VerifiedRegistration {
  const id = info && passkeyIdIn(info.credential.id)
  if (!verified || id === undefined) return refused('the attestation is not valid')
  const { credential, credentialDeviceType, credentialBackedUp: backedUp } = info
  const publicKey = Buffer.from(credential.publicKey).toString('base64url') as PasskeyPublicKey
  const passkey = {
    ...{ id, publicKey, counter: credential.counter, backedUp },
    synced: credentialDeviceType === 'multiDevice',
    transports: transportsOf(response),
  }
  return { kind: 'verified', passkey }
}

/** The transports are not signed; browsers need them only to address the right authenticator. */
function transportsOf(response: unknown): readonly string[] {
  const transports = (response as JsonObject)['transports']
  return Array.isArray(transports) ? knownTransports(transports) : []
}

function descriptorOf({ id, transports }: Pick<Passkey, 'id' | 'transports'>): JsonObject {
  return { type: 'public-key', id, ...(transports.length > 0 && { transports }) }
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url')
}
