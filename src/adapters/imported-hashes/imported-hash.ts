import { timingSafeEqual } from 'node:crypto'

/** A hash in another system's format, with parameters within the limits. */
export type ImportedHash = {
  readonly kind: 'imported'
  /** The string to store, which `readImportedHash` can read again. */
  readonly text: string
  /** The bytes that `derive` returns for the right password. */
  readonly expected: Uint8Array
  /** Hashes a password with the salt and the parameters of this hash, without blocking the event loop for more than 20 ms. */
  readonly derive: (password: string) => Promise<Uint8Array>
  /** How many bytes of a password the algorithm reads; absent if it reads every byte. */
  readonly readBytes?: number
}

/** A hash that is too expensive to verify. `cost` describes the hash; `limit` is a clause that states the allowed cost. */
export type TooCostlyHash = { readonly kind: 'too-costly'; readonly cost: string; readonly limit: string }

/** The result of reading a string; `undefined` if the string is not a valid hash in this reader's format. */
export type ReadHash = ImportedHash | TooCostlyHash | undefined

export type HashReader = (text: string) => ReadHash

type BoundedParameter = readonly [least: number, value: number, most: number]

/**
 * Returns the hash if all parameters are within their limits. Returns `undefined` if a parameter is below its minimum or not a number, and
 * `too-costly` if a parameter is above its maximum.
 */
export function withinLimits(
  family: string,
  parameters: Readonly<Record<string, BoundedParameter>>,
  hash: Omit<ImportedHash, 'kind'>,
): ReadHash {
  const all = Object.entries(parameters)
  if (!all.every(([, [least, value]]) => value >= least)) return undefined
  if (all.every(([, [, value, most]]) => value <= most)) return { kind: 'imported', ...hash }
  const list = (at: 1 | 2) => all.map(([name, bounds]) => `${name}=${bounds[at]}`).join(' ')
  return {
    kind: 'too-costly',
    cost: `${family} ${list(1)}`,
    limit: `${family} hashes are accepted up to ${list(2)}`,
  }
}

/** Compares in constant time. */
export async function matchesImported(
  password: string,
  { derive, expected }: ImportedHash,
): Promise<boolean> {
  const derived = await derive(password)
  return derived.length === expected.length && timingSafeEqual(derived, expected)
}

/** Minimum and maximum length in bytes: a shorter digest is too easy to match, and a longer digest takes longer to compute. */
const DIGEST_LENGTH = [16, 64] as const

/** Decodes a digest; returns `undefined` unless it is canonical base64 of 16 to 64 bytes. */
export function decodedDigest(text: string | undefined): Buffer | undefined {
  const bytes = decoded(text)
  return bytes && isDigest(bytes) ? bytes : undefined
}

export function isDigest({ length }: Uint8Array): boolean {
  const [least, most] = DIGEST_LENGTH
  return length >= least && length <= most
}

/** Decodes canonical base64, with or without padding; returns `undefined` for any other string, including an empty one. */
export function decoded(text: string | undefined): Buffer | undefined {
  if (!text) return undefined
  const bytes = Buffer.from(text, 'base64')
  const canonical = bytes.toString('base64')
  const unpadded = canonical.slice(0, Math.ceil((4 * bytes.length) / 3))
  return text === canonical || text === unpadded ? bytes : undefined
}
