import type { TokenKind } from '../../domain/identity/claims.js'
import { readJsonObject, assert, TokenError, type JsonObject } from '../../domain/identity/json-object.js'
import { optionalPackageError } from '../optional-package.js'
import { createKeyFinder, importRing, type RingOptions } from '../signing-ring.js'
import type { TokenFormat } from '../../ports/tokens.js'
import { readKid, timesAsSeconds, timesAsText, writeFooter } from './footer-and-times.js'
import { ed25519Verification, importPair, type SigningPair } from './ring.js'

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
