import type { TokenKind } from '../../domain/identity/claims.js'
import { readJsonObject, assert, TokenError, type JsonObject } from '../../domain/identity/json-object.js'
import { optionalPackageError } from '../optional-package.js'
import type { TokenFormat } from '../../ports/token-format.js'
import { createKidReader, writeFooter } from './footer.js'
import type { PasetoKey } from './key.js'
import { ed25519Verification, importRing, type Ring, type SigningPair } from './ring.js'
import { timesAsSeconds, timesAsText } from './times.js'

type PasetoFormatOptions = {
  /** All keys verify; the current key signs. */
  readonly keys: readonly PasetoKey[]
  readonly currentKid: string
}

const SIGNATURE_BYTES = 64
/** The caller judges the times, because it has the clock. */
const ANY_TIME = { clockTolerance: 1e12 }

/**
 * PASETO v4.public: Ed25519 over claims and footer. The footer has exactly `typ` (`at+paseto`, `rt+paseto`) and
 * `kid`. Loads an optional package: `npm install paseto`. Rejects with a Refusal `missing-package` without it,
 * and with a RangeError for an invalid ring.
 */
export async function createPasetoFormat(options: PasetoFormatOptions): Promise<TokenFormat> {
  const { currentKid } = options
  const library = await loadLibrary()
  const { keys, publicKeys } = await importRing(library, options)
  const keyOf = createKeyFinder(keys)
  const verification = library.PublicVerify(ed25519Verification(library.PAE))
  const v4 = new library.PublicProtocol(library.SignFactory, verification)

  /** Our own text, the code of the library or a class name: never a message that could quote the token. */
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
  return {
    currentKid,
    publicKeys,
    seal,
    open: async (kind, token) => {
      const found = keyOf(kind, token)
      if (found instanceof TokenError) {
        // A malformed token takes as long as a forged token.
        const { key } = keyOf('access', decoy) as Located
        await v4.Verify(key.verifying, decoy, ANY_TIME)
        throw found
      }
      await v4.Verify(found.key.verifying, token, ANY_TIME)
      // Parses the verified bytes again: the library does not report duplicate members.
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

type Located = { readonly key: SigningPair; readonly body: Buffer }

function createKeyFinder(keys: Ring['keys']) {
  const kidOf = createKidReader([...keys.keys()])
  return (kind: TokenKind, token: string): Located | TokenError => {
    try {
      const { body, footer } = partsOf(token)
      const key = keys.get(kidOf(kind, footer))
      return key ? { key, body } : new TokenError('signed with no key of this ring')
    } catch (error) {
      if (error instanceof TokenError) return error
      throw error
    }
  }
}

const HEADER = ['v4', 'public'] as const
const FORM = 'the token is not a PASETO'

/** Unverified body and footer; an absent footer is empty. Throws a TokenError. */
function partsOf(token: string): { readonly body: Buffer; readonly footer: string } {
  const [version, purpose, body = '', footer, more] = token.split('.', 5)
  assert(version === HEADER[0] && purpose === HEADER[1] && more === undefined, FORM)
  if (footer !== undefined) bytesOf(footer)
  return { body: bytesOf(body), footer: footer ?? '' }
}

/** Canonical base64url of at least one byte: no padding, no other alphabet, no spare bits. */
function bytesOf(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url')
  assert(bytes.length > 0 && bytes.toString('base64url') === text, FORM)
  return bytes
}
