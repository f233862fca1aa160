import { expect } from 'chai'
import fc from 'fast-check'
import jsQR from 'jsqr'
import { TOTP } from 'otpauth'
import { createOneTimeCodes } from '../../../src/adapters/otpauth/one-time-codes.js'
import type { Email } from '../../../src/domain/identity/email.js'
import { CODE_ALGORITHMS, type FactorSecret } from '../../../src/domain/identity/second-factor.js'
import { oneTimeCode } from '../../support/one-time-code.js'

const codes = createOneTimeCodes({ issuer: 'kennel.example' })
const STEP = 30_000
/** RFC 6238, appendix B: "1234567890", repeated up to the length of the hash, in base32. */
const RFC_SECRETS = {
  SHA1: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
  SHA256: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZA',
  SHA512: 'GEZDGNBVGY3TQOJQ'.repeat(6) + 'GEZDGNA',
} as const
const RFC_SECRET = RFC_SECRETS.SHA1 as FactorSecret
const RFC_6238 = [
  [59, 0x1, { SHA1: '94287082', SHA256: '46119246', SHA512: '90693936' }],
  [1111111109, 0x23523ec, { SHA1: '07081804', SHA256: '68084774', SHA512: '25091201' }],
  [1111111111, 0x23523ed, { SHA1: '14050471', SHA256: '67062674', SHA512: '99943326' }],
  [1234567890, 0x273ef07, { SHA1: '89005924', SHA256: '91819424', SHA512: '93441116' }],
  [2000000000, 0x3f940aa, { SHA1: '69279037', SHA256: '90698825', SHA512: '38618901' }],
  [20000000000, 0x27bc86aa, { SHA1: '65353130', SHA256: '77737706', SHA512: '47863826' }],
] as const

describe('time-based codes', () => {
  it('equal the codes in RFC 6238 with each algorithm, and by default have only the last six digits', () => {
    for (const [seconds, step, digits] of RFC_6238) {
      for (const algorithm of CODE_ALGORITHMS) {
        const secret = `${RFC_SECRETS[algorithm]}?algorithm=${algorithm}&digits=8` as FactorSecret
        expect(codes.stepOf(secret, digits[algorithm], seconds * 1000), algorithm).to.equal(step)
        expect(codes.stepOf(secret, digits[algorithm].slice(2), seconds * 1000)).to.equal(undefined)
      }
      expect(codes.stepOf(RFC_SECRET, digits.SHA1.slice(2), seconds * 1000)).to.equal(step)
    }
  })

  it('have time steps of 60 seconds if the secret requires it', () => {
    const secret = `${RFC_SECRET}?period=60` as FactorSecret
    const code = new TOTP({ secret: RFC_SECRET, period: 60 }).generate({ timestamp: 600_000 })
    const steps = [539_999, 540_000, 600_000, 719_999, 720_000].map((at) => codes.stepOf(secret, code, at))
    expect(steps).to.deep.equal([undefined, 10, 10, 10, undefined])
  })

  it('are accepted only in exactly the generated form', () => {
    const at = Date.UTC(2030, 0, 1)
    const code = oneTimeCode(RFC_SECRET, at)
    const good = [-1, 0, 1].map((off) => oneTimeCode(RFC_SECRET, at + off * STEP))
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.integer({ min: 0, max: 999_999 }).map(String)), (text) => {
        fc.pre(!good.includes(text))
        expect(codes.stepOf(RFC_SECRET, text, at)).to.equal(undefined)
      }),
    )
    for (const text of [` ${code}`, `${code} `, `0${code}`, code.slice(1), '', code.replace(/\d$/, '')])
      expect(codes.stepOf(RFC_SECRET, text, at), JSON.stringify(text)).to.equal(undefined)
  })
})

describe('the setup data for an authenticator app', () => {
  const email = 'ada+x@example.org' as Email

  it('contains a new 160-bit secret each time', () => {
    const secrets = Array.from({ length: 1_000 }, () => codes.freshSecret())
    expect(new Set(secrets).size).to.equal(1_000)
    for (const secret of secrets) expect(secret).to.match(/^[A-Z2-7]{32}$/)
  })

  it('includes a URI with the service name, the account and the secret', () => {
    const { uri } = codes.enrolment(RFC_SECRET, email)
    expect(uri).to.equal(
      `otpauth://totp/kennel.example:ada%2Bx%40example.org?issuer=kennel.example&secret=${RFC_SECRET}&algorithm=SHA1&digits=6&period=30`,
    )
  })

  it('includes the URI as a QR code, in an image without scripts, styles or references', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zß🐕<>"'&{}#?%]{1,80}@[a-z.]{1,80}$/u), (address) => {
        const { uri, qrCode } = codes.enrolment(codes.freshSecret(), address as Email)
        expect(qrCode).to.match(
          /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 \d+ \d+"><rect [^<>]+\/><path [^<>]+\/><\/svg>$/,
        )
        expect(textOf(qrCode)).to.equal(uri)
      }),
      { numRuns: 20 },
    )
  })

  it('includes new 80-bit recovery codes each time', () => {
    const made = Array.from({ length: 1_000 }, () => codes.freshRecoveryCode())
    expect(new Set(made).size).to.equal(1_000)
    for (const code of made) expect(code).to.match(/^[A-Z2-7]{16}$/)
  })
})

/** Returns the text that a camera would read: paints the image's squares, and decodes them with another library. */
function textOf(svg: string): string | undefined {
  const size = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1])
  const pixels = new Uint8ClampedArray(size * size * 4).fill(255)
  for (const [, x, y, side] of svg.matchAll(/M(\d+),(\d+)h(\d+)/g)) {
    for (let row = Number(y); row < Number(y) + Number(side); row += 1) {
      const start = (row * size + Number(x)) * 4
      for (let pixel = 0; pixel < Number(side); pixel += 1)
        pixels.fill(0, start + pixel * 4, start + pixel * 4 + 3)
    }
  }
  return jsQR.default(pixels, size, size)?.data
}
