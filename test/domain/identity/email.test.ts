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

  it('is displayed as entered, and emails are sent to the entered local part', () => {
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

  it('has the form that earlier releases used, and emails can be queued under any form of the address', () => {
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

describe('the beginning of an email', () => {
  it('has an upper bound, except for the last possible string', () => {
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

  it('has a range that contains exactly the strings with this prefix, compared bytewise', () => {
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
