import { createPrivateKey } from 'node:crypto'
import { expect } from 'chai'
import fc from 'fast-check'
import { SignJWT, type CryptoKey, type KeyObject } from 'jose'
import { createJoseFormat } from '../../../../src/adapters/jose/index.js'
import type { TokenKind } from '../../../../src/domain/identity/claims.js'
import type { JsonObject } from '../../../../src/domain/identity/json-object.js'
import { ed25519Key } from '../../../support/tokens/ed25519.js'

const TYPES = { access: 'at+jwt', refresh: 'rt+jwt' } as const

type Header = { readonly alg: 'HS512' | 'EdDSA'; readonly kind: TokenKind; readonly kid: string }

/** The token of jose for a claim set. */
async function byJose(
  { alg, kind, kid }: Header,
  claimSet: JsonObject,
  key: CryptoKey | KeyObject | Uint8Array,
) {
  return await new SignJWT(claimSet).setProtectedHeader({ alg, typ: TYPES[kind], kid }).sign(key)
}

/** Any text, including halves of surrogate pairs, quotes, control characters and letters outside ASCII. */
const text = fc.oneof(
  ...(['grapheme-ascii', 'binary', 'grapheme'] as const).map((unit) => fc.string({ unit })),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 30 })
    .map((units) => String.fromCharCode(...units)),
)
const kinds = fc.constantFrom<TokenKind>('access', 'refresh')
/** A superset of the claims that the service writes: texts, numbers, and lists of objects of texts. */
const claimSets = fc.dictionary(text, fc.oneof(text, fc.jsonValue(), fc.array(fc.dictionary(text, text))))
const secrets = fc.uint8Array({ minLength: 64, maxLength: 200 })

describe('the bytes of a JWT', () => {
  it("equal the bytes of jose's SignJWT for all claim sets, key IDs and secrets with HS512", async () => {
    await fc.assert(
      fc.asyncProperty(claimSets, kinds, text, secrets, async (claimSet, kind, kid, secret) => {
        const keys = [{ kid, secret }]
        const format = await createJoseFormat({ algorithm: 'HS512', keys, currentKid: kid })
        const expected = await byJose({ alg: 'HS512', kind, kid }, claimSet, secret)
        expect(await format.seal(kind, claimSet, kid)).to.equal(expected)
      }),
      { numRuns: 1_000 },
    )
  })

  it('equal the bytes of jose for EdDSA, with every key of the ring', async () => {
    const keys = [ed25519Key('one', 1), ed25519Key('two', 2)]
    const format = await createJoseFormat({ algorithm: 'EdDSA', keys, currentKid: 'one' })
    await fc.assert(
      fc.asyncProperty(
        claimSets,
        kinds,
        fc.constantFrom(...keys),
        async (claimSet, kind, { kid, secret }) => {
          const key = createPrivateKey({ key: Buffer.from(secret), format: 'der', type: 'pkcs8' })
          const expected = await byJose({ alg: 'EdDSA', kind, kid }, claimSet, key)
          expect(await format.seal(kind, claimSet, kid)).to.equal(expected)
        },
      ),
      { numRuns: 200 },
    )
  })
})
