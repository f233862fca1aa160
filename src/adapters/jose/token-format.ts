import type { TokenKind } from '../../domain/identity/claims.js'
import { assert, readJsonObject, type JsonObject } from '../../domain/identity/json-object.js'
import type { TokenFormat } from '../../ports/token-format.js'
import { createKeyFinder, importRing, type RingOptions } from '../signing-ring.js'
import { partsOf, readHeader, readKid, writeHeader, type Algorithm, type Jws } from './header.js'
import { describeError } from './errors.js'
import { IMPORT, type SigningPair } from './ring.js'

type JoseFormatOptions = RingOptions & { readonly algorithm: Algorithm }

/**
 * JWTs (RFC 7519) as compact JWS. The header has exactly `alg`, `typ` (`at+jwt`, `rt+jwt`) and `kid`. Rejects
 * with a RangeError for an invalid ring.
 */
export async function createJoseFormat(options: JoseFormatOptions): Promise<TokenFormat> {
  const { algorithm, currentKid } = options
  const { keys, publicKeys } = await importRing(options, IMPORT[algorithm])
  const keyOf = createKeyFinder(keys, {
    write: (kind, kid) =>
      Buffer.from(JSON.stringify(writeHeader(algorithm, kind, kid))).toString('base64url'),
    readKid: (part, kind) => readKid(readHeader(part), algorithm, kind),
  })
  const find = (kind: TokenKind, token: string): Located => {
    const jws = partsOf(token)
    return { key: keyOf(kind, jws.headerPart), jws }
  }

  async function seal(kind: TokenKind, claimSet: JsonObject, kid: string): Promise<string | undefined> {
    return await keys.get(kid)?.sign(writeHeader(algorithm, kind, kid), JSON.stringify(claimSet))
  }

  const decoy = find('access', (await seal('access', {}, currentKid)) ?? '')
  return {
    currentKid,
    publicKeys,
    seal,
    open: async (kind, token) => {
      let found: Located
      try {
        found = find(kind, token)
      } catch (error) {
        // A malformed token takes as long as a forged token.
        verifiedPayload(decoy)
        throw error
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
