import { createPublicKey } from 'node:crypto'
import type { TokenKind } from '../domain/identity/claims.js'
import { TokenError } from '../domain/identity/json-object.js'
import type { PublicKey } from '../ports/tokens.js'

/** A raw signing key, which the token format (JWT or PASETO) has not imported yet. */
export type RingKey = {
  readonly kid: string
  /** For HS512, at least 64 bytes (RFC 7518, 3.2). For other algorithms, an Ed25519 private key as PKCS #8 in DER (RFC 8410). */
  readonly secret: Uint8Array
}

/** All keys verify signatures; the current key signs. */
export type RingOptions = { readonly keys: readonly RingKey[]; readonly currentKid: string }

export type Ring<Pair> = {
  readonly keys: ReadonlyMap<string, Pair>
  /** The public keys, with the current key first. */
  readonly publicKeys: readonly PublicKey[]
}

/** Imports every key once. Rejects with a RangeError if the key ring is invalid. */
export async function importRing<Pair extends { readonly publicKey?: PublicKey }>(
  { keys, currentKid }: RingOptions,
  importPair: (key: RingKey) => Promise<Pair>,
): Promise<Ring<Pair>> {
  const pairs = new Map<string, Pair>()
  for (const key of keys) {
    if (pairs.has(key.kid)) throw new RangeError('two signing keys have the same kid')
    pairs.set(key.kid, await importPair(key))
  }
  const current = pairs.get(currentKid)
  if (!current) throw new RangeError('no signing key matches the current kid')
  const inOrder = new Set([current, ...pairs.values()])
  return { keys: pairs, publicKeys: [...inOrder].flatMap(({ publicKey }) => publicKey ?? []) }
}

/** Rejects with a RangeError if the bytes are not a valid key. */
export async function importEd25519(secret: Uint8Array) {
  const { subtle } = crypto
  const signing = await subtle
    .importKey('pkcs8', Uint8Array.from(secret), 'Ed25519', true, ['sign'])
    .catch(() => {
      throw new RangeError('a signing secret is not an Ed25519 key in PKCS #8 format')
    })
  const { x = '' } = await subtle.exportKey('jwk', signing)
  const jwk = { kty: 'OKP', crv: 'Ed25519', x } as const
  return { signing, verifying: createPublicKey({ key: jwk, format: 'jwk' }), jwk }
}

/** Writes and reads a token's label: the part that contains the token kind and the key ID. */
type Labels = {
  /** Returns the label that Kennel writes for this token kind and key ID. */
  readonly write: (kind: TokenKind, kid: string) => string
  /** Returns the key ID from a label that is valid but not in the form that Kennel writes. Throws a TokenError for an invalid label. */
  readonly readKid: (label: string, kind: TokenKind) => string
}

/** Returns a function that finds the key for a label, without parsing labels that Kennel writes. Throws a TokenError. */
export function createKeyFinder<Pair>(keys: ReadonlyMap<string, Pair>, { write, readKid }: Labels) {
  const kinds: readonly TokenKind[] = ['access', 'refresh']
  const known = new Map(
    kinds.flatMap((kind) => Array.from(keys, ([kid, key]) => [kind + write(kind, kid), key])),
  )
  return (kind: TokenKind, label: string): Pair => {
    const key = known.get(kind + label) ?? keys.get(readKid(label, kind))
    if (!key) throw new TokenError('not signed with a key in this ring')
    return key
  }
}
