import { expect } from 'chai'
import fc from 'fast-check'
import { cookieValues } from '../../../src/http/request/credentials.js'

const NAME = '__Host-sid'
/** Other characters that `trim()` removes, and their UTF-8 bytes as Latin-1 text, because Node reads headers as Latin-1. */
const NO_BLANKS = [
  ...['\u00a0', '\u000b', '\u000c', '\r', '\n', '\u1680', '\u2000', '\u2028', '\u2029', '\u3000', '\ufeff'],
  ...['\u00a0', '\u0085', '\u2000', '\ufeff'].map((text) => Buffer.from(text).toString('latin1')),
]

describe('the values of cookies with a given name', () => {
  it('exclude similar names', () => {
    for (const header of ['', '__Host-sid', '__host-sid=evil', '__Host-sid =evil', '"__Host-sid"=evil'])
      expect(cookieValues(header, NAME), header).to.deep.equal([])
  })

  it('exclude a cookie whose name starts with white space other than a space or tab', () => {
    for (const one of NO_BLANKS) {
      expect(cookieValues(`${one}${NAME}=evil`, NAME)).to.deep.equal([])
      expect(cookieValues(`${one}${NAME}=evil; ${NAME}=good`, NAME)).to.deep.equal(['good'])
      expect(cookieValues(`${NAME}=good; ${one} \t${NAME}=evil`, NAME)).to.deep.equal(['good'])
      expect(cookieValues(`${NAME}=good${one}`, NAME)).to.deep.equal([`good${one}`])
    }
  })

  it('are exactly the values set under that name', () => {
    const blanks = fc.string({ unit: fc.constantFrom(' ', '\t'), maxLength: 3 })
    const value = fc.stringMatching(/^[\w=-]*$/)
    const ours = fc.record({ isOurs: fc.constant(true), name: fc.constant(NAME), value })
    const byte = fc.integer({ min: 0, max: 255 }).filter((code) => ![0x20, 0x09, 0x3b, 0x3d].includes(code))
    const text = fc.array(byte, { minLength: 1, maxLength: 3 }).map((codes) => String.fromCharCode(...codes))
    const others = text.chain((more) => fc.constantFrom(more + NAME, NAME + more))
    const foreign = fc.record({ isOurs: fc.constant(false), name: others, value })
    const padded = fc.tuple(blanks, fc.oneof(ours, foreign), blanks)
    fc.assert(
      fc.property(fc.array(padded, { maxLength: 8 }), (pairs) => {
        const header = pairs.map(([before, pair, after]) => `${before}${pair.name}=${pair.value}${after}`)
        const expected = pairs.filter(([, { isOurs }]) => isOurs).map(([, pair]) => pair.value)
        expect(cookieValues(header.join(';'), NAME)).to.deep.equal(expected)
      }),
      { numRuns: 1000 },
    )
  })
})
