import { expect } from 'chai'
import {
  canonicalDomain,
  canonicalLocalPart,
  foldCase,
} from '../../../src/domain/identity/canonical-email.js'

/** Status F of Unicode's CaseFolding.txt: each letter that folds to several letters, followed by these letters. */
const FULL_FOLDINGS = `
df 73 73|130 69 307|149 2bc 6e|1f0 6a 30c|390 3b9 308 301|3b0 3c5 308 301|587 565 582|1e96 68 331|1e97 74 308
1e98 77 30a|1e99 79 30a|1e9a 61 2be|1e9e 73 73|1f50 3c5 313|1f52 3c5 313 300|1f54 3c5 313 301|1f56 3c5 313 342
1f80 1f00 3b9|1f81 1f01 3b9|1f82 1f02 3b9|1f83 1f03 3b9|1f84 1f04 3b9|1f85 1f05 3b9|1f86 1f06 3b9|1f87 1f07 3b9
1f88 1f00 3b9|1f89 1f01 3b9|1f8a 1f02 3b9|1f8b 1f03 3b9|1f8c 1f04 3b9|1f8d 1f05 3b9|1f8e 1f06 3b9|1f8f 1f07 3b9
1f90 1f20 3b9|1f91 1f21 3b9|1f92 1f22 3b9|1f93 1f23 3b9|1f94 1f24 3b9|1f95 1f25 3b9|1f96 1f26 3b9|1f97 1f27 3b9
1f98 1f20 3b9|1f99 1f21 3b9|1f9a 1f22 3b9|1f9b 1f23 3b9|1f9c 1f24 3b9|1f9d 1f25 3b9|1f9e 1f26 3b9|1f9f 1f27 3b9
1fa0 1f60 3b9|1fa1 1f61 3b9|1fa2 1f62 3b9|1fa3 1f63 3b9|1fa4 1f64 3b9|1fa5 1f65 3b9|1fa6 1f66 3b9|1fa7 1f67 3b9
1fa8 1f60 3b9|1fa9 1f61 3b9|1faa 1f62 3b9|1fab 1f63 3b9|1fac 1f64 3b9|1fad 1f65 3b9|1fae 1f66 3b9|1faf 1f67 3b9
1fb2 1f70 3b9|1fb3 3b1 3b9|1fb4 3ac 3b9|1fb6 3b1 342|1fb7 3b1 342 3b9|1fbc 3b1 3b9|1fc2 1f74 3b9|1fc3 3b7 3b9
1fc4 3ae 3b9|1fc6 3b7 342|1fc7 3b7 342 3b9|1fcc 3b7 3b9|1fd2 3b9 308 300|1fd3 3b9 308 301|1fd6 3b9 342
1fd7 3b9 308 342|1fe2 3c5 308 300|1fe3 3c5 308 301|1fe4 3c1 313|1fe6 3c5 342|1fe7 3c5 308 342|1ff2 1f7c 3b9
1ff3 3c9 3b9|1ff4 3ce 3b9|1ff6 3c9 342|1ff7 3c9 342 3b9|1ffc 3c9 3b9|fb00 66 66|fb01 66 69|fb02 66 6c
fb03 66 66 69|fb04 66 66 6c|fb05 73 74|fb06 73 74|fb13 574 576|fb14 574 565|fb15 574 56b|fb16 57e 576
fb17 574 56d`

const LAST_CODE_POINT = 0x10ffff
const SURROGATE = /\p{Cs}/u

function textOf(points: string): string {
  return String.fromCodePoint(...points.split(' ').map((point) => Number.parseInt(point, 16)))
}

const characters = Array.from({ length: LAST_CODE_POINT + 1 }, (_, point) =>
  String.fromCodePoint(point),
).filter((character) => !SURROGATE.test(character))

describe('case folding', () => {
  const full = new Map(
    FULL_FOLDINGS.trim()
      .split(/[|\n]/)
      .map((row) => [textOf(row.slice(0, row.indexOf(' '))), textOf(row.slice(row.indexOf(' ') + 1))]),
  )

  it('folds a letter to several letters as Unicode specifies', () => {
    expect(full.size).to.equal(104)
    for (const [letter, folded] of full) expect(foldCase(letter), letter).to.equal(folded)
  })

  it("folds all other characters as V8's simple case folding does", () => {
    const others = characters.filter((character) => !full.has(character))
    const wrong = others.filter((one) => {
      const folded = foldCase(one)
      const forms = [folded, one.toLowerCase(), one.toUpperCase()].filter((form) => form !== one)
      return forms.some((form) => isEqualBySimpleFolding(one, form) !== (foldCase(form) === folded))
    })
    expect(others).to.have.length.above(1_100_000)
    expect(wrong).to.deep.equal([])
  })

  it('folds each letter separately, without rules for languages or word endings', () => {
    for (const [text, folded] of [
      ['ΝΙΚΟΣ', 'νικοσ'],
      ['νικος', 'νικοσ'],
      ['ΟΔΟΣ.Α', 'οδοσ.α'],
      ['I', 'i'],
      ['ı', 'ı'],
      ['Ꭰ', 'Ꭰ'],
      ['ꭰ', 'Ꭰ'],
      ['ᏸ', 'Ᏸ'],
    ] as const)
      expect(foldCase(text), text).to.equal(folded)
  })
})

/** Compares as V8's `iu` regular expressions do: by the statuses C and S of CaseFolding.txt. */
function isEqualBySimpleFolding(one: string, other: string): boolean {
  return new RegExp(`^\\u{${(one.codePointAt(0) ?? 0).toString(16)}}$`, 'iu').test(other)
}

describe('a canonical local part', () => {
  it('is the same for upper and lower case, and is in NFKC', () => {
    for (const [text, canonical] of [
      ['ADA', 'ada'],
      ['İ', 'i̇'],
      ['straße', 'strasse'],
      ['STRAẞE', 'strasse'],
      ['ﬁn', 'fin'],
      ['\u212a', 'k'],
      ['ＡＤＡ', 'ada'],
      ['E\u0301', 'é'],
      ['ϒ\u0308', 'ϋ'],
    ] as const)
      expect(canonicalLocalPart(text), text).to.equal(canonical)
  })

  it('is in NFKC and is unchanged by a second canonicalization, for every character that has a different form', () => {
    const changing = characters.filter((one) =>
      [one.normalize('NFKC'), one.toLowerCase(), one.toUpperCase()].some((form) => form !== one),
    )
    const moved = changing.filter((character) => {
      const once = canonicalLocalPart(character)
      return canonicalLocalPart(once) !== once || once.normalize('NFKC') !== once
    })
    expect(changing).to.have.length.above(6_000)
    expect(moved).to.deep.equal([])
  })
})

describe('a canonical domain', () => {
  it('has A-labels in lower case, and is folded only by UTS 46', () => {
    for (const [text, canonical] of [
      ['Example.COM', 'example.com'],
      ['bücher.example', 'xn--bcher-kva.example'],
      ['BÜCHER.example', 'xn--bcher-kva.example'],
      ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
      ['XN--Bcher-KVA.example', 'xn--bcher-kva.example'],
      ['faß.example', 'xn--fa-hia.example'],
      ['FAẞ.example', 'xn--fa-hia.example'],
      ['fass.example', 'fass.example'],
      ['bücher。example', 'xn--bcher-kva.example'],
      ['νικος.example', 'xn--uxachkp.example'],
      ['νικοσ.example', 'xn--uxachku.example'],
      ['[2001:DB8::1]', '[2001:db8::1]'],
      ['1.2.3', '1.2.3'],
      ['1。2。3', '1.2.3'],
      ['ü.1', 'xn--tda.1'],
      ['under_score.example', 'under_score.example'],
    ] as const)
      expect(canonicalDomain(text), text).to.equal(canonical)
  })

  it('is the same after 20,000 calls, when the engine has optimized the function', () => {
    for (const text of ['ü.de', 'ø.no', 'ß.eu']) {
      const first = canonicalDomain(text)
      const others = Array.from({ length: 20_000 }, () => canonicalDomain(text))
      expect([first, new Set(others)]).to.deep.equal([first, new Set([first])])
      expect(first).to.match(/^xn--/)
    }
  })

  it('is refused if it is not a valid international domain name', () => {
    const wrong =
      'xn--a.example XN--.example a.xn-- xn--fass-.example xn--fass- \u0301a.example \u05d01a.example'
    for (const text of [...wrong.split(' '), 'ü/a', 'ü:80', 'ü%41', 'ü@a', 'ü#a', '[ü]', 'ü b'])
      expect(canonicalDomain(text), text).to.equal(undefined)
  })
})
