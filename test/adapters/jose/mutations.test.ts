import { expect } from 'chai'
import fc from 'fast-check'
import type { TokenSigner } from '../../../src/ports/token-signer.js'
import { FOREIGN_KEY, forge, HEADER, KEY, NOW, OLD_KEY, openSigner, PAYLOAD } from './forge.js'

const good = forge(HEADER, PAYLOAD)
const other = forge({ ...HEADER, kid: OLD_KEY.kid }, { ...PAYLOAD, sub: '1' }, OLD_KEY)
const parts = [...good.split('.'), ...other.split('.')]

/** Lone surrogates, NUL and all: whatever JavaScript takes for a text. */
const anyText = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 300 })
  .map((units) => String.fromCharCode(...units))

const anyParts = fc
  .array(fc.oneof(fc.constantFrom(...parts), fc.base64String(), fc.string()), { maxLength: 6 })
  .map((some) => some.join('.'))

/** Good tokens with one stretch replaced by another. */
const mutated = fc
  .tuple(fc.constantFrom(good, other), fc.nat(good.length), fc.nat(4), fc.string({ maxLength: 4 }))
  .map(([token, from, length, instead]) => token.slice(0, from) + instead + token.slice(from + length))

/** Any JSON in both places, signed with a key that is not ours under the name of ours. */
const foreign = fc
  .tuple(fc.oneof(fc.constant(HEADER), fc.json()), fc.oneof(fc.constant(PAYLOAD), fc.json()))
  .map(([header, payload]) => forge(header, payload, FOREIGN_KEY))

/** Our own key, but never a payload of ours. */
const ours = fc.json().map((payload) => forge(HEADER, payload, KEY))

describe('the jose signer and 10,000 tokens that nobody signed', () => {
  let signer: TokenSigner
  before(async () => {
    signer = await openSigner()
  })

  it('finds every one invalid and never throws', async () => {
    const known = new Set([good, other])
    const token = fc.oneof(anyText, anyParts, mutated, foreign, ours).filter((text) => !known.has(text))
    const kind = fc.constantFrom('access', 'refresh')
    await fc.assert(
      fc.asyncProperty(kind, token, async (wanted, text) => {
        expect((await signer.verify(wanted, text, NOW)).kind).to.equal('invalid')
      }),
      { numRuns: 10_000 },
    )
  }).timeout(60_000)

  it('finds every single changed character invalid', async () => {
    const alphabet = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ \n')
    let tried = 0
    for (let place = 0; place < good.length; place += 1) {
      // All characters at the last places, where spare bits would hide; three different ones elsewhere.
      const instead = place > good.length - 3 ? alphabet : alphabet.filter((_, n) => n % 24 === place % 24)
      for (const character of instead) {
        const changed = good.slice(0, place) + character + good.slice(place + 1)
        if (changed === good) continue
        tried += 1
        expect((await signer.verify('access', changed, NOW)).kind, `at ${place}`).to.equal('invalid')
      }
    }
    expect(tried).to.be.greaterThan(2 * good.length)
  }).timeout(20_000)

  it('finds every flipped bit and every missing character invalid', async () => {
    for (let place = 0; place < good.length; place += 1) {
      const flipped = String.fromCharCode(good.charCodeAt(place) ^ (1 << (place % 7)))
      const changed = [
        good.slice(0, place) + flipped + good.slice(place + 1),
        good.slice(0, place) + good.slice(place + 1),
        good.slice(0, place),
      ]
      for (const text of changed) {
        expect((await signer.verify('access', text, NOW)).kind, `at ${place}`).to.equal('invalid')
      }
    }
  })
})
