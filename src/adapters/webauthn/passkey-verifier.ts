import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
  VerifiedRegistrationResponse,
} from '@simplewebauthn/server'
import { type JsonObject, isObject } from '../../domain/identity/json-object.js'
import {
  CHALLENGE_LIFETIME,
  knownTransports,
  passkeyIdIn,
  type Passkey,
  type PasskeyPublicKey,
  type PasskeyId,
} from '../../domain/identity/passkey.js'
import type { PasskeyVerifier, VerifiedAssertion, VerifiedRegistration } from '../../ports/passkeys.js'
import { assertUncertified, loadLibrary } from './library.js'

/** The service to which passkeys belong. */
export type RelyingParty = {
  /** The RP ID: the domain to which passkeys are permanently bound. */
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

/**
 * Public keys in COSE form that belong to no passkey. An unknown passkey is verified with one of these keys, so that rejecting it takes as
 * long as rejecting a known passkey.
 */
const DECOYS = {
  es256:
    'pQECAyYgASFYIJ4smOBG794bsqzUYPSleZWT12pYVg1-UkpO_C-mTgHKIlggjSit4zTb30TwYhQzy6nqRm0ivz7TTKqShy730dmVNqU',
  ed25519: 'pAEBAycgBiFYIPfCJyqQ3-OGBUSfyz443IdJQQWR81bv7rHUQazlfr2H',
  /** The modulus is not a product of two primes, so no signature is valid for this key. */
  rs256: Buffer.concat([
    Buffer.from('a401030339010020590100', 'hex'),
    Buffer.alloc(256, 0xff),
    Buffer.from('2143010001', 'hex'),
  ]).toString('base64url'),
}
/** The length of an Ed25519 signature in base64url; an RSA signature is longer than every ES256 signature. */
const [ED25519, ES256_MAX] = [86, 96]

/** Returns a key for the algorithm that the length of the signature suggests. */
function decoyFor({ response }: JsonObject): PasskeyPublicKey {
  const signature = isObject(response) ? response['signature'] : undefined
  const length = typeof signature === 'string' ? signature.length : 0
  const decoy = length === ED25519 ? DECOYS.ed25519 : length > ES256_MAX ? DECOYS.rs256 : DECOYS.es256
  return decoy as PasskeyPublicKey
}

/** The data that the browser adds to a response and that the authenticator signs (WebAuthn Level 3, 5.8.1). */
export type ClientData = { readonly challenge: string; readonly crossOrigin: boolean }

/** A well-formed response whose signature has not been verified. */
type ReadResponse = {
  readonly id: PasskeyId
  readonly client: ClientData
  readonly attestationObject?: string
  readonly userHandle?: string
}

/** The maximum length of a binary member in base64url. Real responses without attestation need less than a fifth of this length. */
const MEMBER_MAX = 16_384
const BASE64URL = /^[\w-]+$/
const BINARY = [
  'clientDataJSON',
  'attestationObject',
  'authenticatorData',
  'signature',
  'userHandle',
] as const

/** Returns `undefined` unless the object has the form of a `RegistrationResponseJSON` or an `AuthenticationResponseJSON`. */
function readResponse({ id, response }: JsonObject): ReadResponse | undefined {
  const passkeyId = typeof id === 'string' ? passkeyIdIn(id) : undefined
  if (passkeyId === undefined || !isObject(response)) return undefined
  const given = BINARY.map((name) => [name, response[name] ?? undefined] as const)
  if (given.some(([, value]) => value !== undefined && !isBinary(value))) return undefined
  const { clientDataJSON, ...members } = Object.fromEntries(given) as Partial<
    Record<(typeof BINARY)[number], string>
  >
  const client = clientDataJSON === undefined ? undefined : clientDataIn(clientDataJSON)
  return client && { id: passkeyId, client, ...members }
}

function isBinary(value: unknown): boolean {
  return typeof value === 'string' && value.length <= MEMBER_MAX && BASE64URL.test(value)
}

function clientDataIn(text: string): ClientData | undefined {
  try {
    const data: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    if (!isObject(data) || typeof data['challenge'] !== 'string') return undefined
    const { challenge, crossOrigin = false, topOrigin } = data
    // A page that embeds the login could trick the user into a gesture, so even a listed top origin is rejected.
    return { challenge, crossOrigin: crossOrigin !== false || topOrigin !== undefined }
  } catch {
    return undefined
  }
}
