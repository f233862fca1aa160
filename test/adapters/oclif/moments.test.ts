import { expect } from 'chai'
import fc from 'fast-check'
import { instantAgo, instantAhead } from '../../../src/adapters/oclif/moments.js'
import { START } from '../../support/http/service.js'

const MINUTE = 60_000
const UNITS = { m: MINUTE, h: 60 * MINUTE, d: 1_440 * MINUTE }
/** Any time in a four-digit year. */
const instant = fc.integer({ min: Date.parse('0000-01-01'), max: Date.parse('9999-12-31T23:59:59.999Z') })

describe('a time given as a command argument', () => {
  it('can be a relative time in minutes, hours or days', () => {
    const count = fc.integer({ min: 0, max: 999_999_999 })
    const unit = fc.constantFrom('m', 'h', 'd')
    fc.assert(
      fc.property(count, unit, instant, (many, one, now) => {
        expect(instantAgo(`${many}${one}`, now)).to.equal(now - many * UNITS[one])
        expect(instantAhead(`${many}${one}`, now)).to.equal(now + many * UNITS[one])
      }),
    )
  })

  it('can have the time format of audit records, or be a date, which means midnight UTC', () => {
    fc.assert(
      fc.property(instant, instant, (at, now) => {
        const text = new Date(at).toISOString()
        expect(instantAgo(text, now)).to.equal(at)
        expect(instantAgo(text.slice(0, 10), now)).to.equal(Date.parse(`${text.slice(0, 10)}T00:00:00.000Z`))
      }),
    )
  })

  for (const [text, same] of [
    ['2026-03-01T12:30Z', '2026-03-01T12:30:00.000Z'],
    ['2026-03-01T12:30:15Z', '2026-03-01T12:30:15.000Z'],
    ['2026-03-01T12:30:15.5Z', '2026-03-01T12:30:15.500Z'],
    ['2026-03-01T01:30+02:00', '2026-02-28T23:30:00.000Z'],
    ['2026-03-01T23:30:15.678-05:30', '2026-03-02T05:00:15.678Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2024-02-29T23:00-02:00', '2024-03-01T01:00:00.000Z'],
  ] as const)
    it(`reads ${text} as ${same}`, () => {
      for (const read of [instantAgo, instantAhead]) expect(read(text, START)).to.equal(Date.parse(same))
    })

  const WORDS = `2026-02-29 2026-02-30 2026-02-30T12:00Z 2026-04-31T00:00+02:00 2026-06-31 1900-02-29
    2026-00-10 2026-13-01 2026-01-00 2026-01-32 2026-01-01T25:00Z 2026-01-01T12:60Z 2026-01-01T12:00
    2026-01-01T12Z 2026-01-01T12:00+0200 2026-01-01T 2026-1-1 01.03.2026 03/01/2026 2026 2026-03 20260301
    +012026-03-01 -2026-03-01 24 h 24H -24h +24h 1.5h 1e3h 24hours 10s 2w 1000000000h now yesterday NaN ٢٤h`
  const SPACED = [
    '',
    ' ',
    '24 h',
    '24h\n',
    '\n24h',
    ' 24h',
    '24h 2026-03-01',
    '2026-03-01\n',
    '2026-01-01 12:00Z',
  ]
  for (const text of [...WORDS.split(/\s+/), ...SPACED])
    it(`cannot be ${JSON.stringify(text)}`, () => {
      for (const read of [instantAgo, instantAhead]) expect(read(text, START)).to.equal(undefined)
    })
})
