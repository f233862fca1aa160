import type { TokenKind } from '../../domain/identity/claims.js'
import { assert, readJsonObject, TokenError, type JsonObject } from '../../domain/identity/json-object.js'
import type { TokenFormat } from '../../ports/token-format.js'
import { partsOf, readHeader, readKid, writeHeader, type Algorithm, type Header, type Jws } from './header.js'
import { describeError } from './errors.js'
import { importRing, type Ring, type JoseKey, type SigningPair } from './ring.js'

type JoseFormatOptions = {
  readonly algorithm: Algorithm
  /** All keys verify; the current key signs. */
  readonly keys: readonly JoseKey[]
  readonly currentKid: string
}

/**
 * JWTs (RFC 7519) as compact JWS. The header has exactly `alg`, `typ` (`at+jwt`, `rt+jwt`) and `kid`. Rejects
 * with a RangeError for an invalid ring.
 */
export async function createJoseFormat(options: JoseFormatOptions): Promise<TokenFormat> {
  const { algorithm, currentKid } = options
  const { keys, publicKeys } = await importRing(options)
  const find = createKeyFinder(algorithm, keys)

  async function seal(kind: TokenKind, claimSet: JsonObject, kid: string): Promise<string | undefined> {
    return await keys.get(kid)?.sign(writeHeader(algorithm, kind, kid), JSON.stringify(claimSet))
  }

  const decoy = (await seal('access', {}, currentKid)) ?? ''
  return {
    currentKid,
    publicKeys,
    seal,
    open: async (kind, token) => {
      const found = find(kind, token)
      if (found instanceof TokenError) {
        // A malformed token takes as long as a forged token.
        verifiedPayload(find('access', decoy) as Located)
        throw found
      }
      return readJsonObject(verifiedPayload(found), 'payload')
    },
    describe: describeError,
  }
}

type Located = { readonly key: SigningPair; readonly jws: Jws }

function verifiedPayload({ key, jws }: Located): Uint8Array {
  assert(key.hasSigned(jws.signed, jws.signature), 'the signature does not fit')
  return jws.payload
}

function createKeyFinder(algorithm: Algorithm, keys: Ring['keys']) {
  const kidOf = createKidReader(algorithm, [...keys.keys()])
  return (kind: TokenKind, token: string): Located | TokenError => {
    try {
      const jws = partsOf(token)
      const key = keys.get(kidOf(kind, jws.headerPart))
      return key ? { key, jws } : new TokenError('signed with no key of this ring')
    } catch (error) {
      if (error instanceof TokenError) return error
      throw error
    }
  }
}

/** Known headers need no parsing. */
function createKidReader(algorithm: Algorithm, kids: readonly string[]) {
  const kinds: readonly TokenKind[] = ['access', 'refresh']
  const known = new Map(
    kinds.flatMap((kind) => kids.map((kid) => [kind + encode(writeHeader(algorithm, kind, kid)), kid])),
  )
  return (kind: TokenKind, part: string): string =>
    known.get(kind + part) ?? readKid(readHeader(part), algorithm, kind)
}

function encode(header: Header): string {
  return Buffer.from(JSON.stringify(header)).toString('base64url')
}
