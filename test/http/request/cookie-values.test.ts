import { expect } from 'chai'
import fc from 'fast-check'
import { cookieValues } from '../../../src/http/request/presented-session.js'

const NAME = '__Host-sid'
/** Other blanks to `trim()`: as single characters, and as the Latin-1 text that Node reads from their UTF-8 bytes. */
const NO_BLANKS = [
  ...['\u00a0', '\u000b', '\u000c', '\r', '\n', '\u1680', '\u2000', '\u2028', '\u2029', '\u3000', '\ufeff'],
  ...['\u00a0', '\u0085', '\u2000', '\ufeff'].map((text) => Buffer.from(text).toString('latin1')),
]

describe('the values of cookies with a given name', () => {
  for (const [what, header, values] of [
    ['include the value of one cookie', '__Host-sid=good', ['good']],
    ['exclude blanks and tabs around the pair', ' \t__Host-sid=good\t ', ['good']],
    ['are found among other cookies', 'a=1;__Host-sid=good ; b=2', ['good']],
    ['include both of two cookies', '__Host-sid=one; __Host-sid=two', ['one', 'two']],
    ['include empty values', '__Host-sid=; __Host-sid=', ['', '']],
    ['include equals signs in a value', '__Host-sid=a=b==', ['a=b==']],
    ['are empty without a cookie', '', []],
    ['exclude a name without a value', '__Host-sid', []],
    ['exclude a name in another case', '__host-sid=evil; __HOST-SID=evil', []],
    ['exclude longer and shorter names', '__Host-sid2=evil; Host-sid=evil; x__Host-sid=evil', []],
    ['exclude a name followed by a blank', '__Host-sid =evil', []],
    ['exclude a quoted name', '"__Host-sid"=evil', []],
  ] as const) {
    it(what, () => {
      expect(cookieValues(header, NAME)).to.deep.equal(values)
    })
  }

  it('exclude a cookie whose name starts with white space other than a space or tab', () => {
    for (const one of NO_BLANKS) {
      expect(cookieValues(`${one}${NAME}=evil`, NAME)).to.deep.equal([])
      expect(cookieValues(`${one}${NAME}=evil; ${NAME}=good`, NAME)).to.deep.equal(['good'])
      expect(cookieValues(`${NAME}=good; ${one} \t${NAME}=evil`, NAME)).to.deep.equal(['good'])
      expect(cookieValues(`${NAME}=good${one}`, NAME)).to.deep.equal([`good${one}`])
    }
  })

  it('are exactly the values that were set under the name', () => {
    const blanks = fc.string({ unit: fc.constantFrom(' ', '\t'), maxLength: 3 })
    const ours = fc.record({
      isOurs: fc.constant(true),
      name: fc.constant(NAME),
      value: fc.stringMatching(/^[\w=-]*$/),
    })
    const byte = fc.integer({ min: 0, max: 255 }).filter((code) => ![0x20, 0x09, 0x3b, 0x3d].includes(code))
    const others = fc
      .array(byte, { minLength: 1, maxLength: 3 })
      .chain((codes) =>
        fc.constantFrom(String.fromCharCode(...codes) + NAME, NAME + String.fromCharCode(...codes)),
      )
    const foreign = fc.record({
      isOurs: fc.constant(false),
      name: others,
      value: fc.stringMatching(/^[\w=-]*$/),
    })
    const pair = fc.tuple(blanks, fc.oneof(ours, foreign), blanks)
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 8 }), (pairs) => {
        const header = pairs.map(([before, { name, value }, after]) => `${before}${name}=${value}${after}`)
        const expected = pairs.filter(([, { isOurs }]) => isOurs).map(([, { value }]) => value)
        expect(cookieValues(header.join(';'), NAME)).to.deep.equal(expected)
      }),
      { numRuns: 1000 },
    )
  })
})
