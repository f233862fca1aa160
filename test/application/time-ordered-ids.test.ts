import { expect } from 'chai'
import fc from 'fast-check'
import { createTimeOrderedIds } from '../../src/application/time-ordered-ids.js'
import { systemRandomness } from '../../src/adapters/system/index.js'
import { timePrefix } from '../../src/domain/time-ordered-id.js'
import type { Randomness } from '../../src/ports/randomness.js'
import { START } from '../support/use-cases.js'

/** Always the same bytes, so that only the time and the counter can order IDs. */
const DULL: Randomness = { base64url: (bytes) => 'A'.repeat(Math.ceil((bytes * 4) / 3)), uuid: () => 'none' }
const LAST_INSTANT = 16 ** 12 - 1

const instant = fc.integer({ min: 0, max: LAST_INSTANT })

function isAscending(ids: readonly string[]): boolean {
  return ids.every((id, index) => index === 0 || (ids[index - 1] ?? '') < id)
}

describe('time-ordered ids', () => {
  it('sort by their moments, however far apart', () => {
    fc.assert(
      fc.property(fc.array(instant, { minLength: 2, maxLength: 50 }), (instants) => {
        const idOf = createTimeOrderedIds({ randomness: systemRandomness })
        expect(isAscending(instants.toSorted((one, two) => one - two).map(idOf))).to.equal(true)
      }),
    )
  })

  it('sort in order of creation if the clock stands still', () => {
    const idOf = createTimeOrderedIds({ randomness: systemRandomness })
    expect(isAscending(Array.from({ length: 10_000 }, () => idOf(START)))).to.equal(true)
  })

  it('start their counter again at each moment', () => {
    const idOf = createTimeOrderedIds({ randomness: DULL })
    const [first, second, later] = [idOf(START), idOf(START), idOf(START + 1)]
    expect([first, second, later].map((id) => id.slice(12, 16))).to.deep.equal(['0000', '0001', '0000'])
    expect(isAscending([first, second, later])).to.equal(true)
    for (const at of [0, 1, LAST_INSTANT])
      expect(createTimeOrderedIds({ randomness: DULL })(at).slice(12, 16)).to.equal('0000')
  })

  it('are unique, even for two processes in one millisecond and for a clock that goes back', () => {
    const makers = [0, 1].map(() => createTimeOrderedIds({ randomness: systemRandomness }))
    const instants = [START, START, START - 1, START, START - 1]
    const ids = makers.flatMap((idOf) => instants.map(idOf))
    expect(new Set(ids).size).to.equal(ids.length)
  })

  it('need nothing but letters, digits, hyphen and underscore', () => {
    expect(createTimeOrderedIds({ randomness: systemRandomness })(START)).to.match(/^[0-9a-f]{16}[\w-]{11}$/)
  })
})

describe('the prefix of a moment', () => {
  it('stands between earlier and later IDs', () => {
    fc.assert(
      fc.property(instant, instant, (at, other) => {
        const idOf = createTimeOrderedIds({ randomness: systemRandomness })
        expect(idOf(other) >= timePrefix(at)).to.equal(other >= at)
      }),
    )
  })
})
