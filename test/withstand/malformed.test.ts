import { expect } from 'chai'
import { itWith } from '../support/required-tools.js'
import type { CheckedStore } from './checker.js'
import { malformedChecker } from './malformed/checker.js'

/** Rounds on each store: 5000 requests together. */
const ROUNDS: Readonly<Record<CheckedStore, number>> = { memory: 3, sqlite: 1, mongodb: 1 }
/** In so many rounds each bug has to be found: what is kept shows only when several are compared. */
const MOST_ROUNDS = 12

/** What is told of each bug. */
const FOUND: Readonly<Record<string, RegExp>> = {
  nesting: /it answers 500/,
  unlimited: /it answers 20[0-9] where it has to refuse/,
  hanging: /neither an answer nor an end/,
  writing: /has changed the store: pets\.insert/,
  telling: /holds a secret|tells of the program/,
  keeping: /bytes more than after/,
  smuggling: /where it has to refuse|to what cannot be read/,
  resetting: /the connection was reset/,
}

describe('malformed requests', () => {
  for (const store of malformedChecker.stores) {
    const title = `break nothing with the data in ${store}`
    const breakNothing = async () => {
      const bench = await malformedChecker.open({ store, note: () => undefined })
      try {
        for (let seed = 1; seed <= ROUNDS[store]; seed += 1)
          expect((await bench.round(seed)).violations).to.deep.equal([])
      } finally {
        await bench.close()
      }
    }
    if (store === 'mongodb') itWith('mongodb', title, breakNothing)
    else it(title, breakNothing)
  }

  for (const [planted, what] of Object.entries(malformedChecker.planted)) {
    it(`show that ${what}, where it is so`, async () => {
      const bench = await malformedChecker.open({ store: 'memory', planted, note: () => undefined })
      try {
        const expected = FOUND[planted]
        let isFound = false
        for (let seed = 1; seed <= MOST_ROUNDS && !isFound; seed += 1)
          isFound = (await bench.round(seed)).violations.some((text) => expected?.test(text))
        expect(isFound).to.equal(true)
      } finally {
        await bench.close()
      }
    })
  }
})
