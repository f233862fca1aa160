import type { TokenKind } from '../../domain/identity/claims.js'
import { assert, readJsonObject, type JsonObject } from '../../domain/identity/json-object.js'
import type { TokenFormat } from '../../ports/tokens.js'
import { createKeyFinder, importRing, type RingOptions } from '../signing-ring.js'
import { partsOf, readHeader, readKid, writeHeader, type Algorithm, type Jws } from './header.js'
import { describeError } from './errors.js'
import { IMPORT, type SigningPair } from './ring.js'

type JoseFormatOptions = RingOptions & { readonly algorithm: Algorithm }

/**
 * Creates and reads tokens as JWTs (RFC 7519) in compact JWS form. The header has exactly `alg`, `typ` (`at+jwt` or `rt+jwt`) and `kid`.
 * Rejects with a RangeError if the key ring is invalid.
 */
export async function createJoseFormat(options: JoseFormatOptions): Promise<TokenFormat> {
  const { algorithm, currentKid } = options
  const { keys, publicKeys } = await importRing(options, IMPORT[algorithm])
  const keyOf = createKeyFinder(keys, {
    write: (kind, kid) =>
      Buffer.from(JSON.stringify(writeHeader(algorithm, kind, kid))).toString('base64url'),
    readKid: (part, kind) => readKid(readHeader(part), algorithm, kind),
  })
  const find = (kind: TokenKind, token: string): ParsedToken => {
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
      let found: ParsedToken
      try {
        found = find(kind, token)
      } catch (error) {
        // Rejecting a malformed token must take as long as rejecting a forged token.
        verifiedPayload(decoy)
        throw error
      }
      return readJsonObject(verifiedPayload(found), 'payload')
    },
    describe: describeError,
  }
}

type ParsedToken = { readonly key: SigningPair; readonly jws: Jws }

function verifiedPayload({ key, jws }: ParsedToken): Uint8Array {
  assert(key.verifies(jws.signed, jws.signature), 'signature verification failed')
  return jws.payload
}
