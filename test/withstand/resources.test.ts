import { expect } from 'chai'
import type { CheckedStore } from './checker.js'
import { describeWith } from '../support/required-tools.js'
import { resourcesChecker } from './resources/checker.js'
import { isFound, violationsOf } from './real-service/trial.js'

/** The first of them meets what the bug is about; the others are there in case that it did not come to it. */
const PLANTED: Readonly<Record<string, readonly [CheckedStore, ...number[]]>> = {
  'swallowed-writes': ['sqlite', 1, 14, 16, 4],
  'answers-from-cache': ['sqlite', 15, 1, 5, 8],
  'plain-errors': ['sqlite', 1, 8, 5],
  'never-again': ['sqlite', 1, 8, 5],
  'leaked-descriptors': ['sqlite', 1, 8, 5],
  'written-later': ['sqlite', 1, 8, 14],
  'ratcheting-clock': ['memory', 1, 5, 6],
  'cookies-in-log': ['sqlite', 1, 8, 5],
}

describe('what a machine runs out of', () => {
  before(function () {
    if (process.platform !== 'linux') this.skip()
  })

  for (const [store, ...seeds] of [
    ['memory', 2, 4],
    ['sqlite', 3, 4, 13, 20],
  ] as const)
    it(`leaves the service on ${store} as it was`, async () => {
      expect(await violationsOf(resourcesChecker, { store, seeds })).to.deep.equal([])
    })

  describeWith('mongod', 'on MongoDB', () => {
    it('leaves the service as it was', async () => {
      expect(await violationsOf(resourcesChecker, { store: 'mongodb', seeds: [2, 4] })).to.deep.equal([])
    })
  })

  it('is tried with every planted bug', () => {
    expect(Object.keys(PLANTED).sort()).to.deep.equal(Object.keys(resourcesChecker.planted).sort())
  })

  for (const [planted, [store, ...seeds]] of Object.entries(PLANTED))
    it(`is noticed: ${resourcesChecker.planted[planted] ?? planted}`, async () => {
      expect(await isFound(resourcesChecker, { store, planted, seeds })).to.equal(true)
    })
})
