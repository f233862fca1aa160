import type { CryptoKey, Key, PAE, PublicVerifyImplementation } from 'paseto'
import type * as V4 from 'paseto/v4/public'
import { createPublicKey, verify, type KeyObject } from 'node:crypto'
import type { PublicKey } from '../../ports/token-format.js'
import type { PasetoKey } from './key.js'

/** A key of the library whose verification needs no other thread. */
export type VerifyingKey = Key & { readonly keyObject: KeyObject }

export type SigningPair = { readonly signing: V4.SecretKey; readonly verifying: VerifyingKey }
type Pair = SigningPair & { readonly publicKey: PublicKey }

export type Ring = {
  readonly keys: ReadonlyMap<string, SigningPair>
  /** The current key first. */
  readonly publicKeys: readonly PublicKey[]
}

type Importing = Pick<typeof V4, 'SecretKeyFromCryptoKey'>

/** Imports every key once. Rejects with a RangeError for an invalid ring. */
export async function importRing(
  library: Importing,
  options: { readonly keys: readonly PasetoKey[]; readonly currentKid: string },
): Promise<Ring> {
  const pairs = new Map<string, Pair>()
  for (const { kid, secret } of options.keys) {
    if (pairs.has(kid)) throw new RangeError('two signing keys have one kid')
    pairs.set(kid, await importPair(library, secret, kid))
  }
  const current = pairs.get(options.currentKid)
  if (!current) throw new RangeError('the current kid names no signing key')
  const inOrder = new Set([current, ...pairs.values()])
  return { keys: pairs, publicKeys: [...inOrder].map(({ publicKey }) => publicKey) }
}

async function importPair(library: Importing, secret: Uint8Array, kid: string): Promise<Pair> {
  const { subtle } = crypto
  const signing = await importEd25519(secret)
  const { x = '' } = await subtle.exportKey('jwk', signing)
  const jwk = { kty: 'OKP', crv: 'Ed25519', x } as const
  return {
    signing: await library.SecretKeyFromCryptoKey(signing),
    verifying: {
      ...{ algorithm: { name: 'PASETO v4.public' }, type: 'public', extractable: true },
      keyObject: createPublicKey({ key: jwk, format: 'jwk' }),
    },
    publicKey: { ...jwk, kid, use: 'sig' },
  }
}

const HEADER = Buffer.from('v4.public.')

/**
 * Ed25519 on this thread, for the library: its own verification wakes another thread, which takes more CPU time
 * (docs/decisions/0007).
 */
export function ed25519Verification(encode: typeof PAE): PublicVerifyImplementation<4, VerifyingKey> {
  return {
    version: 4,
    run: async (key, message, signature, ...footerAndImplicit) =>
      verify(undefined, encode([HEADER, message, ...footerAndImplicit]), key.keyObject, signature),
  }
}

async function importEd25519(secret: Uint8Array): Promise<CryptoKey> {
  try {
    return await crypto.subtle.importKey('pkcs8', Uint8Array.from(secret), 'Ed25519', true, ['sign'])
  } catch {
    throw new RangeError('a signing secret is no Ed25519 key as PKCS #8')
  }
}
