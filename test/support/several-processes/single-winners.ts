import { expect } from 'chai'
import { anIdempotency, aPet } from '../../../src/contracts/samples.js'
import type { Store } from '../../../src/ports/store.js'
import type { OtherProcess } from './other-process.js'

const ROUNDS = 5

/** Concurrent removals and patches of a revision, 16 wide in two processes, have one winner, with or without a key. */
export async function expectSingleWinners(store: Store, others: readonly OtherProcess[]): Promise<void> {
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const key of [undefined, anIdempotency({ key: `key-${round}` })]) {
      const made = await store.pets.insert(aPet('Rex'), key)
      if (made.kind !== 'inserted') throw new Error(`the pet was ${made.kind}`)
      const answers = (await Promise.all(others.map((one) => one.ask(String(made.id))))) as string[][]
      const [won, lost] = (await store.pets.find(made.id)) ? ['patched', 'stale'] : ['removed', 'unknown']
      expect(answers.flat().sort()).to.deep.equal([won, ...Array.from({ length: 31 }, () => lost)].sort())
      if (key) expect(await store.pets.insert(aPet('Rex'), key)).to.deep.equal({ ...made, kind: 'repeated' })
    }
  }
}
