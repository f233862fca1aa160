import { expect } from 'chai'
import fc from 'fast-check'
import { systemRandomness } from '../../src/adapters/system/index.js'
import { withIsoTimes, createTimeOrderedIds, timePrefix } from '../../src/domain/instant.js'

describe('the JSON form of an object with instants', () => {
  it('contains the instants as UTC strings, and other numbers unchanged', () => {
    expect(
      withIsoTimes({ id: 7, at: 0, since: 1, revokedAt: 2, lastAt: undefined, active: true }),
    ).to.deep.equal({
      ...{ id: 7, at: '1970-01-01T00:00:00.000Z', since: '1970-01-01T00:00:00.001Z' },
      ...{ revokedAt: '1970-01-01T00:00:00.002Z', lastAt: undefined, active: true },
    })
  })
})

const NOW = Date.UTC(2026, 0, 2)
const LAST_INSTANT = 16 ** 12 - 1
const instant = fc.integer({ min: 0, max: LAST_INSTANT })

const random = () => createTimeOrderedIds({ randomness: systemRandomness })
/** Returns the same bytes each time, so that only the time and the counter can order IDs. */
const dull = () => createTimeOrderedIds({ randomness: { base64url: () => 'A' } })

function isAscending(ids: readonly string[]): boolean {
  return ids.every((id, index) => index === 0 || (ids[index - 1] ?? '') < id)
}

describe('time-ordered IDs', () => {
  it('sort by time, however far apart the times are', () => {
    fc.assert(
      fc.property(fc.array(instant, { minLength: 2, maxLength: 50 }), (instants) => {
        expect(isAscending(instants.toSorted((one, two) => one - two).map(random()))).to.equal(true)
      }),
    )
  })

  it('sort by creation order if the clock does not advance', () => {
    const idOf = random()
    expect(isAscending(Array.from({ length: 10_000 }, () => idOf(NOW)))).to.equal(true)
  })

  it('restart their counter in each millisecond', () => {
    const idOf = dull()
    const ids = [idOf(NOW), idOf(NOW), idOf(NOW + 1)]
    expect(ids.map((id) => id.slice(12, 16))).to.deep.equal(['0000', '0001', '0000'])
    expect(isAscending(ids)).to.equal(true)
    for (const at of [0, 1, LAST_INSTANT]) expect(dull()(at).slice(12, 16)).to.equal('0000')
  })

  it('are unique, even across two processes in one millisecond and after the clock is set back', () => {
    const instants = [NOW, NOW, NOW - 1, NOW, NOW - 1]
    const ids = [random(), random()].flatMap((idOf) => instants.map(idOf))
    expect(new Set(ids).size).to.equal(ids.length)
  })
})

describe('the ID prefix for an instant', () => {
  it('sorts between earlier and later IDs', () => {
    fc.assert(
      fc.property(instant, instant, (at, other) => {
        expect(random()(other) >= timePrefix(at)).to.equal(other >= at)
      }),
    )
  })

  it('has twelve hexadecimal digits, rounds down to milliseconds, and is zero before 1970', () => {
    const prefixes = [255, 255.9, -1].map(timePrefix)
    expect(prefixes).to.deep.equal(['0000000000ff', '0000000000ff', '000000000000'])
  })
})
