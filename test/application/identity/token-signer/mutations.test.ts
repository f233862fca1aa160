import { expect } from 'chai'
import fc from 'fast-check'
import type { TokenSigner } from '../../../../src/ports/token-signer.js'
import { BENCHES } from '../../../support/tokens/benches.js'
import {
  NOW,
  openSigner,
  payloadOf,
  STATEFUL,
  STATELESS,
  withPayload,
  type Bench,
} from '../../../support/tokens/token-bench.js'

/** Any string of JavaScript, with lone surrogates and NUL. */
const anyText = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 300 })
  .map((units) => String.fromCharCode(...units))

function arbitraryToken(bench: Bench, known: readonly string[]): fc.Arbitrary<string> {
  const parts = known.flatMap((token) => token.split('.'))
  const good = bench.label('access', bench.key.kid)
  const payload = payloadOf(bench, 'access', STATEFUL)
  const anyParts = fc
    .array(fc.oneof(fc.constantFrom(...parts), fc.base64String(), fc.string()), { maxLength: 6 })
    .map((some) => some.join('.'))
  /** Good tokens with one stretch replaced by another. */
  const mutated = fc
    .tuple(fc.constantFrom(...known), fc.nat(400), fc.nat(4), fc.string({ maxLength: 4 }))
    .map(([token, from, length, instead]) => token.slice(0, from) + instead + token.slice(from + length))
  /** Any JSON as label and payload, signed with a foreign key under the kid of our key. */
  const foreign = fc
    .tuple(fc.oneof(fc.constant(good), fc.json()), fc.oneof(fc.constant(payload), fc.json()))
    .map(([label, claims]) => bench.forge(label, claims, bench.foreignKey))
  /** Signed with our key, but with a payload that we never write. */
  const ours = fc.json().map((claims) => bench.forge(good, claims, bench.key))
  /** Signed with our key, with one arbitrary claim, except `sid`, `jti` and `sub`, which accept some texts. */
  const oneWrong = fc
    .tuple(fc.constantFrom('iss', 'aud', 'iat', 'nbf', 'exp'), fc.jsonValue())
    .map(([name, value]) => bench.forge(good, { ...payload, [name]: value }, bench.key))
  const any = fc.oneof(anyText, anyParts, mutated, foreign, ours, oneWrong)
  const all = new Set(known)
  return any.filter((text) => !all.has(text))
}

for (const bench of BENCHES) {
  const good = withPayload(bench, STATEFUL)
  const stateless = withPayload(bench, STATELESS)
  const old = bench.forge(
    bench.label('access', bench.oldKey.kid),
    { ...payloadOf(bench, 'access', STATEFUL), sub: '1' },
    bench.oldKey,
  )

  describe(`the signers of ${bench.name} tokens and 10,000 tokens that are not signed`, () => {
    let signers: readonly TokenSigner[] = []
    before(async () => {
      signers = [await openSigner(bench), await openSigner(bench, { mode: STATELESS })]
    })

    it('find every one invalid, with stored sessions and without, and never throw', async () => {
      const token = arbitraryToken(bench, [good, old, stateless])
      const kind = fc.constantFrom('access', 'refresh')
      await fc.assert(
        fc.asyncProperty(kind, token, async (wanted, text) => {
          for (const signer of signers) {
            expect((await signer.verify(wanted, text, NOW)).kind).to.equal('invalid')
          }
        }),
        { numRuns: 10_000 },
      )
    })
  })
}
