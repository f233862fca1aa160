import { compactVerify } from 'jose'
import type { TokenKind } from '../../domain/identity/claims.js'
import { readJsonObject, type JsonObject } from '../../domain/identity/json-object.js'
import { TokenError } from '../../domain/identity/token-error.js'
import type { TokenFormat } from '../../ports/token-format.js'
import { headerPart, readHeader, readKid, writeHeader, type Algorithm, type Header } from './header.js'
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
  const keyOf = createKeyFinder(algorithm, keys)

  async function seal(kind: TokenKind, claimSet: JsonObject, kid: string): Promise<string | undefined> {
    return await keys.get(kid)?.sign(writeHeader(algorithm, kind, kid), JSON.stringify(claimSet))
  }

  const decoy = (await seal('access', {}, currentKid)) ?? ''
  const verify = (token: string, key: SigningPair) =>
    compactVerify(token, key.verifying, { algorithms: [algorithm] })
  return {
    currentKid,
    publicKeys,
    seal,
    open: async (kind, token) => {
      const key = keyOf(kind, token)
      if (key instanceof TokenError) {
        // A malformed token takes as long as a forged token.
        await verify(decoy, keyOf('access', decoy) as SigningPair)
        throw key
      }
      return readJsonObject((await verify(token, key)).payload, 'payload')
    },
    describe: describeError,
  }
}

function createKeyFinder(algorithm: Algorithm, keys: Ring['keys']) {
  const kidOf = createKidReader(algorithm, [...keys.keys()])
  return (kind: TokenKind, token: string): SigningPair | TokenError => {
    try {
      return keys.get(kidOf(kind, headerPart(token))) ?? new TokenError('signed with no key of this ring')
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
