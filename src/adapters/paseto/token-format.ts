import type { TokenKind } from '../../domain/identity/claims.js'
import {
  readJsonObject,
  assert,
  TokenError,
  type JsonObject,
  assertMembers,
} from '../../domain/identity/json-object.js'
import { optionalPackageError } from '../optional-package.js'
import {
  createKeyFinder,
  importRing,
  type RingOptions,
  importEd25519,
  type RingKey,
} from '../signing-ring.js'
import type { TokenFormat, PublicKey } from '../../ports/tokens.js'
import type { Key, PAE, PublicVerifyImplementation } from 'paseto'
import type * as V4 from 'paseto/v4/public'
import { verify, type KeyObject } from 'node:crypto'

const SIGNATURE_BYTES = 64
/** A tolerance with which the library accepts any time, because the caller checks the times with its own clock. */
const ANY_TIME = { clockTolerance: 1e12 }

/**
 * Creates the token format PASETO v4.public: an Ed25519 signature over the claims and the footer. The footer has exactly the members `typ`
 * (`at+paseto` or `rt+paseto`) and `kid`. Needs an optional package: `npm install paseto`. Rejects with a `missing-package` Refusal if the
 * package is not installed, and with a RangeError if the key ring is invalid.
 */
export async function createPasetoFormat(options: RingOptions): Promise<TokenFormat> {
  const { currentKid } = options
  const library = await loadLibrary()
  const { keys, publicKeys } = await importRing(options, (key) => importPair(library, key))
  const keyOf = createKeyFinder(keys, {
    write: (kind, kid) => Buffer.from(writeFooter(kind, kid)).toString('base64url'),
    readKid,
  })
  const find = (kind: TokenKind, token: string): ParsedToken => {
    const { body, footer } = partsOf(token)
    return { key: keyOf(kind, footer), body }
  }
  const verification = library.PublicVerify(ed25519Verification(library.PAE))
  const v4 = new library.PublicProtocol(library.SignFactory, verification)

  /** Describes an error with Kennel's own text, the library's code or the class name; other messages could quote the token. */
  function describe(error: unknown): string {
    if (error instanceof TokenError) return error.message
    if (error instanceof library.PasetoError) return `refused by paseto: ${error.code}`
    return `unexpected ${error instanceof Error ? error.name : typeof error}`
  }

  async function seal(kind: TokenKind, claimSet: JsonObject, kid: string): Promise<string | undefined> {
    const key = keys.get(kid)
    if (!key) return undefined
    const footer = writeFooter(kind, kid)
    const claims = timesAsText(claimSet) as { readonly sub: string }
    return await v4.Sign(key.signing, claims, { footer, addIssuedAt: false })
  }

  const decoy = (await seal('access', {}, currentKid)) ?? ''
  const { key: decoyKey } = find('access', decoy)
  return {
    currentKid,
    publicKeys,
    seal,
    open: async (kind, token) => {
      let found: ParsedToken
      try {
        found = find(kind, token)
      } catch (error) {
        // Rejecting a malformed token must take as long as rejecting a forged token.
        await v4.Verify(decoyKey.verifying, decoy, ANY_TIME)
        throw error
      }
      await v4.Verify(found.key.verifying, token, ANY_TIME)
      // Parses the verified bytes again, because the library does not detect duplicate members.
      return timesAsSeconds(readJsonObject(found.body.subarray(0, -SIGNATURE_BYTES), 'payload'))
    },
    describe,
  }
}

async function loadLibrary() {
  try {
    const { PAE, PasetoError, PublicProtocol, PublicVerify } = await import(
      /* turbopackOptional: true */ 'paseto'
    )
    const v4 = await import(/* turbopackOptional: true */ 'paseto/v4/public')
    return { PAE, PasetoError, PublicProtocol, PublicVerify, ...v4 }
  } catch (error) {
    throw optionalPackageError('paseto', error)
  }
}

type ParsedToken = { readonly key: SigningPair; readonly body: Buffer }

const HEADER = ['v4', 'public'] as const
const FORM = 'the token is not a PASETO'

/** Returns the unverified body and footer; the returned footer is empty if the token has no footer. Throws a TokenError. */
function partsOf(token: string): { readonly body: Buffer; readonly footer: string } {
  const [version, purpose, body = '', footer, more] = token.split('.', 5)
  assert(version === HEADER[0] && purpose === HEADER[1] && more === undefined, FORM)
  if (footer !== undefined) bytesOf(footer)
  return { body: bytesOf(body), footer: footer ?? '' }
}

/** Decodes canonical base64url that contains at least one byte: no padding, no other alphabet, no nonzero unused bits. */
function bytesOf(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url')
  assert(bytes.length > 0 && bytes.toString('base64url') === text, FORM)
  return bytes
}

/** A key in the format of the paseto library that can also verify signatures on the main thread. */
type VerifyingKey = Key & { readonly keyObject: KeyObject }

type SigningPair = {
  readonly signing: V4.SecretKey
  readonly verifying: VerifyingKey
  readonly publicKey: PublicKey
}

async function importPair(
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

const HEADER_BYTES = Buffer.from('v4.public.')

/**
 * Implements Ed25519 verification on the main thread for the paseto library, whose own verification wakes another thread and takes more CPU
 * time (docs/decisions/0007).
 */
function ed25519Verification(encode: typeof PAE): PublicVerifyImplementation<4, VerifyingKey> {
  return {
    version: 4,
    run: async (key, message, signature, ...footerAndImplicit) =>
      verify(undefined, encode([HEADER_BYTES, message, ...footerAndImplicit]), key.keyObject, signature),
  }
}

const TYPES = { access: 'at+paseto', refresh: 'rt+paseto' } as const satisfies Record<TokenKind, string>
const MEMBERS = ['typ', 'kid'] as const
const ENCODER = new TextEncoder()

/** PASETO has no header for token type and key ID, so the authenticated footer contains them. */
function writeFooter(kind: TokenKind, kid: string): Uint8Array {
  return ENCODER.encode(JSON.stringify({ typ: TYPES[kind], kid }))
}

/**
 * Returns the key ID of a footer that has exactly the members `typ` and `kid`; the key ID is authentic only after the token is verified.
 */
function readKid(encoded: string, kind: TokenKind): string {
  const footer = readJsonObject(Buffer.from(encoded, 'base64url'), 'footer')
  assertMembers(footer, MEMBERS, 'footer')
  assert(footer['typ'] === TYPES[kind], 'unexpected token type')
  const kid = footer['kid']
  assert(typeof kid === 'string', '"kid" is not a string')
  return kid
}

/** PASETO represents times as RFC 3339 strings, and JWT represents them as numbers. */
const TIMES = ['iat', 'nbf', 'exp'] as const

/** Replaces whole seconds with strings such as `2026-01-02T03:04:05Z`, without changing the order of members. */
function timesAsText(claimSet: JsonObject): JsonObject {
  return withTimes(claimSet, (value) => textOf(Number(value)))
}

/** Replaces time strings with whole seconds; throws if a time has any other notation. */
function timesAsSeconds(claimSet: JsonObject): JsonObject {
  const { iat } = claimSet
  let issuedAt: number | undefined
  return withTimes(claimSet, (value, name) => {
    // In Kennel's tokens, `nbf` and `iat` are equal.
    if (value === iat && issuedAt !== undefined) return issuedAt
    const seconds = typeof value === 'string' ? Date.parse(value) / 1000 : Number.NaN
    assert(Number.isSafeInteger(seconds) && textOf(seconds) === value, `"${name}" is not a time`)
    if (name === 'iat') issuedAt = seconds
    return seconds
  })
}

function textOf(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, -'.000Z'.length)}Z`
}

function withTimes(claimSet: JsonObject, change: (value: unknown, name: string) => unknown): JsonObject {
  const changed: Record<string, unknown> = { ...claimSet }
  for (const name of TIMES) if (Object.hasOwn(claimSet, name)) changed[name] = change(claimSet[name], name)
  return changed
}
