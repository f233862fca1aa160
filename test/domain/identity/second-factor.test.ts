import { expect } from 'chai'
import {
  codeParameters,
  factorSecret,
  presentedCode,
  writtenRecoveryCode,
  type FactorSecret,
  type ImportedSecret,
  type RecoveryCode,
} from '../../../src/domain/identity/second-factor.js'

describe('a code as the user types it', () => {
  it('is six or eight digits, with any white space and hyphens between the digits', () => {
    for (const text of ['492039', ' 492 039\n', '49-20-39', '\uff14\uff19\uff12\uff10\uff13\uff19'])
      expect(presentedCode(text)).to.deep.equal({ kind: 'one-time', code: '492039' })
    expect(presentedCode('4920 3918')).to.deep.equal({ kind: 'one-time', code: '49203918' })
  })

  it('is accepted as a recovery code in the displayed form and in lower case', () => {
    const code = 'ABCDEFGHIJKL2347' as RecoveryCode
    const written = writtenRecoveryCode(code)
    expect(written).to.equal('ABCD-EFGH-IJKL-2347')
    for (const text of [written, written.toLowerCase(), 'abcd efgh ijkl 2347', code])
      expect(presentedCode(text), text).to.deep.equal({ kind: 'recovery', code })
  })

  it('has at most 100 characters, including white space and hyphens', () => {
    expect(presentedCode('492039'.padStart(100))).to.deep.equal({ kind: 'one-time', code: '492039' })
    expect(presentedCode('492039'.padStart(101))).to.equal(undefined)
  })

  it('is not recognized in any other form, however long', () => {
    const none = [
      '',
      ' ',
      '12345',
      '1234567',
      '123456789',
      '12345a',
      'A'.repeat(15),
      'A'.repeat(17),
      '٤٩٢٠٣٩',
    ]
    for (const text of [...none, 'AAAA-AAAA-AAAA-AAA1', '1'.repeat(1_000_000)])
      expect(presentedCode(text), text.slice(0, 20)).to.equal(undefined)
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
      'GE=ZD',
      'GE?digits=8',
    ])
      expect(secretOf({ secret }), secret.slice(0, 20)).to.equal(undefined)
  })
})
