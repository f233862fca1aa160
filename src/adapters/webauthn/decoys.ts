import { isObject, type JsonObject } from '../../domain/identity/json-object.js'
import type { PasskeyPublicKey } from '../../domain/identity/passkey.js'

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
export function decoyFor({ response }: JsonObject): PasskeyPublicKey {
  const signature = isObject(response) ? response['signature'] : undefined
  const length = typeof signature === 'string' ? signature.length : 0
  const decoy = length === ED25519 ? DECOYS.ed25519 : length > ES256_MAX ? DECOYS.rs256 : DECOYS.es256
  return decoy as PasskeyPublicKey
}
