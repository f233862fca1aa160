import { expect } from 'chai'
import fc from 'fast-check'
import {
  codeParameters,
  factorSecret,
  presentedCode,
  writtenRecoveryCode,
  type FactorSecret,
  type ImportedSecret,
  type RecoveryCode,
} from '../../../src/domain/identity/second-factor.js'

const digits = fc.stringMatching(/^([0-9]{6}|[0-9]{8})$/)
const recovery = fc.stringMatching(/^[A-Z2-7]{16}$/)
const blanks = fc.stringMatching(/^[ \t\n-]{0,3}$/)

/** Generates these characters with spaces and hyphens inserted at random positions. */
const spread = (text: fc.Arbitrary<string>) =>
  fc.tuple(text, fc.array(blanks, { minLength: 17, maxLength: 17 })).map(([code, between]) => ({
    code,
    typed: Array.from(code, (one, at) => `${between[at] ?? ''}${one}`).join(''),
  }))

describe('a code as the user types it', () => {
  it('is six or eight digits, with any white space and hyphens between the digits', () => {
    fc.assert(
      fc.property(spread(digits), ({ code, typed }) => {
        expect(presentedCode(typed)).to.deep.equal({ kind: 'one-time', code })
      }),
    )
  })

  it('is accepted as a recovery code in upper or lower case, with or without hyphens', () => {
    fc.assert(
      fc.property(spread(recovery), fc.boolean(), ({ code, typed }, small) => {
        const presented = presentedCode(small ? typed.toLowerCase() : typed)
        expect(presented).to.deep.equal({ kind: 'recovery', code })
      }),
    )
  })

  it('is accepted as a recovery code in the displayed form', () => {
    fc.assert(
      fc.property(recovery, (code) => {
        const written = writtenRecoveryCode(code as RecoveryCode)
        expect(written).to.match(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/)
        expect(presentedCode(written)).to.deep.equal({ kind: 'recovery', code })
      }),
    )
  })

  it('may contain full-width digits', () => {
    expect(presentedCode('４９２０３９')).to.deep.equal({ kind: 'one-time', code: '492039' })
  })

  it('has at most 100 characters, including white space and hyphens', () => {
    expect(presentedCode('492039'.padStart(100))).to.deep.equal({ kind: 'one-time', code: '492039' })
    expect(presentedCode('492039'.padStart(101))).to.equal(undefined)
  })

  it('is undefined for any other string, however long', () => {
    const none = [
      ...[
        '',
        ' ',
        '12345',
        '1234567',
        '123456789',
        '12345a',
        'A'.repeat(15),
        'A'.repeat(17),
        'AAAA-AAAA-AAAA-AAA1',
      ],
      '٤٩٢٠٣٩',
    ]
    for (const text of [...none, '1'.repeat(1_000_000), ' '.repeat(1_000_000)])
      expect(presentedCode(text), text.slice(0, 20)).to.equal(undefined)
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const code = presentedCode(text)
        if (code)
          expect(code.code).to.match(code.kind === 'one-time' ? /^([0-9]{6}|[0-9]{8})$/ : /^[A-Z2-7]{16}$/)
      }),
    )
  })
})

describe('the secret of an imported factor', () => {
  const secretOf = (...[imported]: Parameters<typeof factorSecret>) => {
    const parsed = factorSecret(imported)
    return parsed.ok ? parsed.value : undefined
  }

  it('contains only the parameters that differ from the default', () => {
    expect(secretOf({ secret: 'gezdgnbv====' })).to.equal('GEZDGNBV')
    const standard = { algorithm: 'SHA1', digits: 6, period: 30 } as const
    expect(secretOf({ secret: 'GEZDGNBV', ...standard })).to.equal('GEZDGNBV')
    const other = { secret: 'GEZDGNBV', algorithm: 'SHA256', digits: 8, period: 60 } as const
    expect(secretOf(other)).to.equal('GEZDGNBV?algorithm=SHA256&digits=8&period=60')
    const imported = { secret: 'GEZDGNBV', digits: 8 } as const
    expect(codeParameters(secretOf(imported) as FactorSecret)).to.deep.equal({ ...standard, ...imported })
  })

  it('is rejected with parameters that authenticator apps do not support', () => {
    for (const parameter of [{ algorithm: 'sha1' }, { digits: 7 }, { period: 0 }])
      expect(factorSecret({ secret: 'GE', ...parameter } as ImportedSecret)).to.include({ ok: false })
  })

  it('has 1 to 128 bytes', () => {
    for (const secret of ['GE', 'A'.repeat(205), `${'A'.repeat(205)}===`])
      expect(secretOf({ secret }), secret).to.equal(secret.replaceAll('=', ''))
    for (const secret of [
      '',
      'A',
      '=',
      'A'.repeat(206),
      '='.repeat(1_000_000),
      'GE1A',
      'GEZD GNBV',
      'GE=ZD',
      'GE?digits=8',
    ])
      expect(secretOf({ secret }), secret.slice(0, 20)).to.equal(undefined)
  })
})
