import { isoCBOR } from '@simplewebauthn/server/helpers'
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import type { JsonObject } from '../../src/domain/identity/json-object.js'

export const RP_ID = 'kennel.example'
export const ORIGIN = 'https://kennel.example'

/** The COSE identifiers of the algorithms that this authenticator supports. */
export type Algorithm = -7 | -8 | -257 | -37

/** Ways in which a page, a browser or an authenticator deviates from correct behavior. */
export type Misbehaviour = {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly clientData?: JsonObject
  /** The type in the client data. */
  readonly type?: string
  readonly algorithm?: Algorithm
  readonly isVerified?: boolean
  readonly isPresent?: boolean
  /** Whether the passkey is synced and backed up: the flags BE and BS. */
  readonly backup?: readonly [synced: boolean, backedUp: boolean]
  readonly counter?: number
  readonly id?: Buffer
  readonly attestation?: {
    readonly format: string
    readonly statement: readonly (readonly [string, unknown])[]
  }
  readonly handle?: string | null
  /** Signs with this key instead of the key of the passkey. */
  readonly signer?: KeyObject
}

type Credential = {
  readonly id: Buffer
  readonly algorithm: Algorithm
  readonly privateKey: KeyObject
  readonly publicKey: CborMap
  readonly handle: string
  counter: number
}

type Cbor = Parameters<typeof isoCBOR.encode>[0]
type CborMap = readonly (readonly [number | string, Cbor])[]
const cbor = (map: CborMap) => isoCBOR.encode(new Map(map))

export type Authenticator = ReturnType<typeof createAuthenticator>

/**
 * A software authenticator with one passkey for each call of `create`; `get` uses the last passkey. With `counts`, each signature
 * increments a counter, as security keys do; synced passkeys have the counter 0.
 */
export function createAuthenticator({ counts = false } = {}) {
  let credential: Credential | undefined
  return {
    /** Returns a `RegistrationResponseJSON` for these options. */
    create: (options: JsonObject, changes: Misbehaviour = {}) => {
      const offered = options['pubKeyCredParams'] as readonly { readonly alg: Algorithm }[] | undefined
      const { algorithm = offered?.[0]?.alg ?? -7 } = changes
      const { id: handle } = options['user'] as { id: string }
      const keys = newKeys(algorithm)
      credential = { ...keys, id: changes.id ?? randomBytes(16), algorithm, handle, counter: 0 }
      const clientDataJSON = clientDataOf('webauthn.create', options, changes)
      const { format, statement } = changes.attestation ?? { format: 'none', statement: [] }
      const key = cbor(credential.publicKey)
      const idLength = Buffer.alloc(2)
      idLength.writeUInt16BE(credential.id.length)
      const attested = Buffer.concat([Buffer.alloc(16), idLength, credential.id, key])
      const { rpId = (options['rp'] as { id: string }).id } = changes
      const authData = Buffer.concat([authDataOf(rpId, credential.counter, changes, true), attested])
      const attestationObject = cbor([
        ['fmt', format],
        ['attStmt', new Map(statement as CborMap)],
        ['authData', authData],
      ])
      return responseOf(credential, {
        clientDataJSON: base64url(clientDataJSON),
        attestationObject: base64url(attestationObject),
        transports: ['internal', 'hybrid'],
      })
    },
    /** Returns an `AuthenticationResponseJSON` for these options. */
    get: (options: JsonObject, changes: Misbehaviour = {}) => {
      if (!credential) throw new Error('the authenticator has no passkey')
      if (counts) credential.counter += 1
      const { counter = credential.counter, rpId = String(options['rpId']) } = changes
      const clientDataJSON = clientDataOf('webauthn.get', options, changes)
      const authenticatorData = authDataOf(rpId, counter, changes, false)
      const signed = Buffer.concat([authenticatorData, createHash('sha256').update(clientDataJSON).digest()])
      const hash = credential.algorithm === -8 ? null : 'sha256'
      const { handle = credential.handle, signer = credential.privateKey } = changes
      return responseOf(credential, {
        clientDataJSON: base64url(clientDataJSON),
        authenticatorData: base64url(authenticatorData),
        signature: base64url(sign(hash, signed, signer)),
        ...(handle !== null && { userHandle: handle }),
      })
    },
  }
}

function responseOf({ id }: Credential, response: JsonObject): JsonObject {
  const text = base64url(id)
  return { id: text, rawId: text, type: 'public-key', clientExtensionResults: {}, response }
}

function clientDataOf(type: string, options: JsonObject, changes: Misbehaviour): Buffer {
  const { origin = ORIGIN, challenge = options['challenge'], clientData } = changes
  return Buffer.from(
    JSON.stringify({ type: changes.type ?? type, challenge, origin, crossOrigin: false, ...clientData }),
  )
}

function authDataOf(rpId: string, counter: number, changes: Misbehaviour, isAttested: boolean): Buffer {
  const { isVerified = true, isPresent = true, backup: [synced, backedUp] = [false, false] } = changes
  const flags = [isPresent, false, isVerified, synced, backedUp, false, isAttested]
  const rest = Buffer.alloc(5)
  rest.writeUInt8(flags.reduce((all, flag, bit) => all + (flag ? 1 << bit : 0), 0))
  rest.writeUInt32BE(counter, 1)
  return Buffer.concat([createHash('sha256').update(rpId).digest(), rest])
}

/** The key pair, with the public key in COSE form (RFC 9053). */
function newKeys(algorithm: Algorithm): Pick<Credential, 'privateKey' | 'publicKey'> {
  const { privateKey, publicKey } = pairFor(algorithm)
  const jwk = publicKey.export({ format: 'jwk' })
  const bytes = (name: string) => Buffer.from(String(jwk[name]), 'base64url')
  if (algorithm === -7)
    return { privateKey, publicKey: [[1, 2], [3, -7], [-1, 1], [-2, bytes('x')], [-3, bytes('y')]] } // prettier-ignore
  if (algorithm === -8)
    return { privateKey, publicKey: [[1, 1], [3, -8], [-1, 6], [-2, bytes('x')]] } // prettier-ignore
  return { privateKey, publicKey: [[1, 3], [3, algorithm], [-1, bytes('n')], [-2, bytes('e')]] } // prettier-ignore
}

function pairFor(algorithm: Algorithm) {
  if (algorithm === -7) return generateKeyPairSync('ec', { namedCurve: 'P-256' })
  if (algorithm === -8) return generateKeyPairSync('ed25519')
  return generateKeyPairSync('rsa', { modulusLength: 2048 })
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}
