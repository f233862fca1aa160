import { expect } from 'chai'
import fc from 'fast-check'
import {
  canonicalEmail,
  email,
  emailBefore,
  emailForms,
  emailRange,
  emailStart,
  enteredEmail,
  formerEmail,
  mailAddress,
  type Email,
  type EmailStart,
  canonicalDomain,
  canonicalLocalPart,
  foldCase,
} from '../../../src/domain/identity/email.js'

function valueOf(text: string): string | undefined {
  const parsed = email(text)
  return parsed.ok ? parsed.value : undefined
}

const NOT_VALID = { ok: false, type: 'Format', rule: 'email-not-valid' }

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({
    unit: fc.constantFrom(...Array.from('aA@ .ßİΣςü。xn-Ａ＠\u0000\uFEFF\u202e\u00ad')),
    maxLength: 12,
  }),
)

describe('email', () => {
  it('is trimmed, normalized and lowercased', () => {
    expect(valueOf(' Ada@Example.COM\n')).to.equal('ada@example.com')
    expect(valueOf('\uFEFFada@example.com\u00A0')).to.equal('ada@example.com')
    expect(valueOf('ＡＤＡ＠ｅｘａｍｐｌｅ．ｃｏｍ')).to.equal('ada@example.com')
    expect(valueOf('e\u0301ve@example.com')).to.equal('éve@example.com')
    expect(valueOf('\u00a8n@example.com')).to.equal('\u0308n@example.com')
    expect(valueOf('ﬁn@example.com')).to.equal('fin@example.com')
  })

  it('is the same for all spellings of a mailbox', () => {
    for (const [canonical, ...texts] of [
      ['νικοσ@example.com', 'ΝΙΚΟΣ@example.com', 'νικος@example.com', 'νικοσ@EXAMPLE.com.'],
      ['strasse@example.com', 'straße@example.com', 'STRAẞE@example.com', 'Strasse@example。com'],
      ['i̇ki@example.com', 'İKI@example.com', 'i̇\u212ai@example.com'],
      ['fin@example.com', 'ﬁn@example.com', 'ＦＩＮ@example.com'],
      ['éve@example.com', 'E\u0301VE@example.com', 'éve@example.com'],
      ['ada@xn--bcher-kva.example', 'ada@bücher.example', 'ADA@BÜCHER.example', 'ada@bu\u0308cher．example'],
      ['ada@xn--bcher-kva.example', 'ada@XN--BCHER-KVA.example.'],
      ['ada@xn--fa-hia.example', 'ada@faß.example', 'ada@FAẞ.example'],
      ['ada@fass.example', 'ada@FASS.example'],
      ['ada@[192.0.2.1]', 'ADA@[192.0.2.1]'],
    ])
      for (const text of [canonical ?? '', ...texts]) expect(canonicalEmail(text), text).to.equal(canonical)
  })

  it('is rejected if the domain is invalid', () => {
    for (const domain of ['b..', '.', 'xn--a.example', 'ü/b', '\u0301b.example', `${'ü.'.repeat(60)}example`])
      expect(canonicalEmail(`a@${domain}`), domain).to.equal(undefined)
  })

  it('keeps the entered spelling for display, and the entered local part for delivery', () => {
    for (const [text, entered, address] of [
      [' Ada@Example.COM ', 'Ada@Example.COM', 'Ada@example.com'],
      ['Straße@Bücher.example.', 'Straße@Bücher.example.', 'Straße@xn--bcher-kva.example'],
      ['ＡＤＡ＠example.com', 'ADA@example.com', 'ADA@example.com'],
      ['Ada@xn--a.example', 'Ada@xn--a.example', 'Ada@xn--a.example'],
    ] as const) {
      expect(enteredEmail(text), text).to.equal(entered)
      expect(mailAddress(enteredEmail(text)), text).to.equal(address)
    }
  })

  it('can be converted to the form of earlier releases, and to every form under which mail may be queued', () => {
    expect(formerEmail(' Νικος@Bücher.example')).to.equal('νικος@bücher.example')
    expect(emailForms('Νικος@Bücher.example' as Email)).to.deep.equal([
      'Νικος@Bücher.example',
      'Νικος@xn--bcher-kva.example',
      'νικος@bücher.example',
      'νικοσ@xn--bcher-kva.example',
    ])
    expect(emailForms('ada@example.com' as Email)).to.deep.equal(['ada@example.com'])
  })

  it('is the same if it is entered in upper case', () => {
    const unit = fc.constantFrom(...Array.from('aln0.-_+@/'), 'xn--', '@a')
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 12 }), (text) => {
        expect(email(text)).to.deep.equal(email(text.toUpperCase()))
      }),
      { numRuns: 5000 },
    )
  })

  it('is unchanged when it is parsed again', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const once = valueOf(text)
        if (once !== undefined) expect(valueOf(once)).to.equal(once)
      }),
      { numRuns: 2000 },
    )
  })

  it('has one @ with text on both sides, no space, control or format character, and at most 254 code units', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const value = valueOf(text)
        if (value === undefined) return
        expect(value.split('@')).to.have.length(2)
        expect(value).to.match(/^[^\s@]+@[^\s@]+$/u)
        expect(value).to.not.match(/[\p{Cc}\p{Cf}\p{Cs}]/u)
        expect(value.length).to.be.at.most(254)
      }),
      { numRuns: 2000 },
    )
  })

  it('has exactly one @ between two parts without spaces or control characters', () => {
    const short = ['', '@', 'a@', '@b', 'ab', 'a@b@c', 'a b@c', 'a@b c', 'a\u0000@b', 'a@b\u0007', '\ud83d@b']
    for (const wrong of [...short, 'a＠b＠c'])
      expect(email(wrong), JSON.stringify(wrong)).to.deep.equal(NOT_VALID)
  })

  it('contains no invisible character', () => {
    for (const hidden of '\u202e\u2066\u200b\u200d\u00ad\u{e0061}')
      for (const parts of [
        ['ada', '@example.com'],
        ['ada@ex', 'ample.com'],
        ['ada@example.com', ''],
      ])
        expect(valueOf(parts.join(hidden)), JSON.stringify(hidden)).to.equal(undefined)
  })

  it('can have 254 characters but not 255, counted after normalization', () => {
    const maxDuration = `${'a'.repeat(252)}@b`
    expect(valueOf(maxDuration)).to.equal(maxDuration)
    expect(valueOf(` ${maxDuration} `)).to.equal(maxDuration)
    expect(valueOf(`a${maxDuration}`)).to.equal(undefined)
    expect(valueOf(`${'ﬃ'.repeat(85)}@b`)).to.equal(undefined)
    // Input above the maximum length is rejected before it is parsed.
    expect([valueOf('a@b'.padStart(1_016)), valueOf('a@b'.padStart(1_017))]).to.deep.equal(['a@b', undefined])
    expect(valueOf('a@'.repeat(100_000))).to.equal(undefined)
  })
})

describe('the email after which a list continues', () => {
  it('has the form of an email, but can contain format characters that earlier releases accepted', () => {
    for (const text of ['ada@example.com', ' ADA@example.com', 'a\u202ea@example.com']) {
      const parsed = emailBefore(text)
      expect(parsed.ok && parsed.value, text).to.equal(text.trim().toLowerCase())
    }
    expect(emailBefore('Straße@example.com')).to.deep.equal({ ok: true, value: 'strasse@example.com' })
    for (const text of ['', 'ada', 'a b@c', 'a\u0000@b', '\ud83d@b', `${'a'.repeat(254)}@b`])
      expect(emailBefore(text), JSON.stringify(text)).to.deep.equal(NOT_VALID)
  })
})

describe('an email prefix', () => {
  it('has a range with an upper bound, unless the prefix is the last possible string', () => {
    const rangeOf = (text: string) => emailRange(text as EmailStart)
    expect(rangeOf('a\ud7ff')).to.deep.equal({ first: 'a\ud7ff', end: 'a\ue000' })
    expect(rangeOf('a\ud7fe')).to.deep.equal({ first: 'a\ud7fe', end: 'a\ud7ff' })
    expect(rangeOf('a\u{10ffff}')).to.deep.equal({ first: 'a\u{10ffff}', end: 'b' })
    expect(rangeOf('\u{10ffff}')).to.deep.equal({ first: '\u{10ffff}' })
    expect(emailRange(undefined)).to.deep.equal({ first: '' })
  })

  it('is normalized like an email', () => {
    for (const [text, start] of [
      [' ADA ', 'ada'],
      ['Ａｄａ＠', 'ada@'],
      ['ada@example.com', 'ada@example.com'],
      ['ada@', 'ada@'],
      ['%', '%'],
      ['ΝΙΚΟΣ', 'νικοσ'],
      ['ΟΔΟΣ@', 'οδοσ@'],
      ['Straß', 'strass'],
      ['ada@Bücher', 'ada@xn--bcher-kva'],
      ['ada@bücher.exa', 'ada@xn--bcher-kva.exa'],
      ['ada@XN--BCH', 'ada@xn--bch'],
      ['ada@XN--', 'ada@xn--'],
      ['a'.repeat(254), 'a'.repeat(254)],
      ['a'.padStart(1_016), 'a'],
      ['ada@example.', 'ada@example.'],
    ])
      expect(emailStart(text ?? ''), text).to.deep.equal({ ok: true, value: start })
  })

  it('is rejected if no email can start with it', () => {
    const rejected = { ok: false, type: 'Format', rule: 'must be the beginning of an email' }
    const short = [
      '',
      ' ',
      '@',
      '@example.com',
      'a b',
      'a@b@',
      'a\tb',
      'a\u200d',
      'a@ü\u00ad',
      '\ud83d',
      'a\u202e',
    ]
    for (const text of [...short, 'a'.repeat(255), 'a'.padStart(1_017)])
      expect(emailStart(text), JSON.stringify(text)).to.deep.equal(rejected)
  })

  it('has a range of exactly the strings with this prefix, compared bytewise', () => {
    const character = fc.constantFrom('a', 'b', '@', '\ud7ff', '\ue000', '\uffff', '\u{1f600}', '\u{10ffff}')
    const text = fc.string({ unit: character, minLength: 1, maxLength: 8 })
    const compare = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other))
    fc.assert(
      fc.property(text, text, (start, address) => {
        const { first, end } = emailRange(start as never)
        const isInRange = compare(first, address) <= 0 && (end === undefined || compare(address, end) < 0)
        expect(isInRange).to.equal(address.startsWith(start))
        expect(emailRange(undefined)).to.deep.equal({ first: '' })
      }),
    )
  })
})

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

  it('folds a letter into several letters if Unicode says so', () => {
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

  it('is in NFKC and is unchanged by a second canonicalization, for every character with an upper-case, lower-case or NFKC form', () => {
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
