import { expect } from 'chai'
import { itWith } from '../../support/required-tools.js'
import type { Bench, Checker, CheckedStore } from '../checker.js'

export type Sizes = {
  readonly rounds: number
  readonly plantedIn: CheckedStore
  /** In how many rounds each planted bug is found, at most. */
  readonly plantedRounds: number
}

/** Rounds without a violation on each store, and with one for each planted bug. */
export function describeConcurrency(checker: Checker, sizes: Sizes): void {
  const benches: Bench[] = []
  const open = async (store: CheckedStore, planted?: string) => {
    const note = () => undefined
    const bench = await checker.open({ store, note, ...(planted !== undefined && { planted }) })
    benches.push(bench)
    return bench
  }

  describe(`the checker ${checker.name}`, () => {
    afterEach(async () => {
      for (const bench of benches.splice(0)) await bench.close()
    })

    for (const store of checker.stores)
      itOn(store, `finds an order for every history on ${store}`, async () => {
        const bench = await open(store)
        for (let seed = 1; seed <= sizes.rounds; seed += 1) {
          const { histories, operations, violations } = await bench.round(seed)
          expect(violations.join('\n')).to.equal('')
          expect(histories).to.be.above(0)
          expect(operations).to.be.at.least(30 * histories)
        }
      })

    for (const [name, what] of Object.entries(checker.planted))
      itOn(sizes.plantedIn, `finds that ${what}`, async () => {
        const bench = await open(sizes.plantedIn, name)
        expect(await isFound(bench, sizes.plantedRounds)).to.equal(true)
      })
  })
}

function itOn(store: CheckedStore, title: string, body: () => Promise<void>): void {
  if (store === 'mongodb') itWith('mongodb', title, body)
  else it(title, body)
}

async function isFound(bench: Bench, rounds: number): Promise<boolean> {
  for (let seed = 1; seed <= rounds; seed += 1)
    if ((await bench.round(seed)).violations.length > 0) return true
  return false
}
