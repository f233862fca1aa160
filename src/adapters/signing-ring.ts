import { createPublicKey } from 'node:crypto'
import type { TokenKind } from '../domain/identity/claims.js'
import { TokenError } from '../domain/identity/json-object.js'
import type { PublicKey } from '../ports/token-format.js'

/** A key of a ring before its import. */
export type RingKey = {
  readonly kid: string
  /** HS512: at least 64 bytes (RFC 7518, 3.2). Otherwise an Ed25519 key as PKCS #8 in DER (RFC 8410). */
  readonly secret: Uint8Array
}

/** All keys verify; the current key signs. */
export type RingOptions = { readonly keys: readonly RingKey[]; readonly currentKid: string }

export type Ring<Pair> = {
  readonly keys: ReadonlyMap<string, Pair>
  /** The current key first. */
  readonly publicKeys: readonly PublicKey[]
}

/** Imports every key once. Rejects with a RangeError for an invalid ring. */
export async function importRing<Pair extends { readonly publicKey?: PublicKey }>(
  { keys, currentKid }: RingOptions,
  importPair: (key: RingKey) => Promise<Pair>,
): Promise<Ring<Pair>> {
  const pairs = new Map<string, Pair>()
  for (const key of keys) {
    if (pairs.has(key.kid)) throw new RangeError('two signing keys have one kid')
    pairs.set(key.kid, await importPair(key))
  }
  const current = pairs.get(currentKid)
  if (!current) throw new RangeError('the current kid names no signing key')
  const inOrder = new Set([current, ...pairs.values()])
  return { keys: pairs, publicKeys: [...inOrder].flatMap(({ publicKey }) => publicKey ?? []) }
}

/** Both halves of an Ed25519 key, and the public half as a JWK. Rejects with a RangeError for other bytes. */
export async function importEd25519(secret: Uint8Array) {
  const { subtle } = crypto
  const signing = await subtle
    .importKey('pkcs8', Uint8Array.from(secret), 'Ed25519', true, ['sign'])
    .catch(() => {
      throw new RangeError('a signing secret is no Ed25519 key as PKCS #8')
    })
  const { x = '' } = await subtle.exportKey('jwk', signing)
  const jwk = { kty: 'OKP', crv: 'Ed25519', x } as const
  return { signing, verifying: createPublicKey({ key: jwk, format: 'jwk' }), jwk }
}

/** The part of a token that names its kind and its key. */
type Labels = {
  /** The label of our tokens. */
  readonly write: (kind: TokenKind, kid: string) => string
  /** The kid in any other label. Throws a TokenError if the label is not valid. */
  readonly readKid: (label: string, kind: TokenKind) => string
}

/** Finds the key that a label names; a known label needs no parsing. Throws a TokenError. */
export function createKeyFinder<Pair>(keys: ReadonlyMap<string, Pair>, { write, readKid }: Labels) {
  const kinds: readonly TokenKind[] = ['access', 'refresh']
  const known = new Map(
    kinds.flatMap((kind) => Array.from(keys, ([kid, key]) => [kind + write(kind, kid), key])),
  )
  return (kind: TokenKind, label: string): Pair => {
    const key = known.get(kind + label) ?? keys.get(readKid(label, kind))
    if (!key) throw new TokenError('signed with no key of this ring')
    return key
  }
}
