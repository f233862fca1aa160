import type { Key, PAE, PublicVerifyImplementation } from 'paseto'
import type * as V4 from 'paseto/v4/public'
import { verify, type KeyObject } from 'node:crypto'
import type { PublicKey } from '../../ports/tokens.js'
import { importEd25519, type RingKey } from '../signing-ring.js'

/** A key in the format of the paseto library that can also verify signatures on the main thread. */
export type VerifyingKey = Key & { readonly keyObject: KeyObject }

export type SigningPair = {
  readonly signing: V4.SecretKey
  readonly verifying: VerifyingKey
  readonly publicKey: PublicKey
}

/** Imports a key. Rejects with a RangeError if the bytes are not a valid key. */
export async function importPair(
  library: Pick<typeof V4, 'SecretKeyFromCryptoKey'>,
  { kid, secret }: RingKey,
): Promise<SigningPair> {
  const { signing, verifying, jwk } = await importEd25519(secret)
  return {
    signing: await library.SecretKeyFromCryptoKey(signing),
    verifying: {
      ...{ algorithm: { name: 'PASETO v4.public' }, type: 'public', extractable: true },
      keyObject: verifying,
    },
    publicKey: { ...jwk, kid, use: 'sig' },
  }
}

const HEADER = Buffer.from('v4.public.')

/**
 * Implements Ed25519 verification on the main thread for the paseto library, whose own verification wakes another thread and takes more CPU
 * time (docs/decisions/0007).
 */
export function ed25519Verification(encode: typeof PAE): PublicVerifyImplementation<4, VerifyingKey> {
  return {
    version: 4,
    run: async (key, message, signature, ...footerAndImplicit) =>
      verify(undefined, encode([HEADER, message, ...footerAndImplicit]), key.keyObject, signature),
  }
}
