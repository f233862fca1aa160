import { AssertionError } from 'node:assert/strict'
import { expect } from 'chai'
import { storeLaws } from '../../src/contracts/index.js'
import type { Law } from '../../src/contracts/law.js'
import type { Store } from '../../src/ports/store.js'
import { breakages } from './broken/all.js'
import { StoreError } from './broken/breakage.js'

describe('the laws of the stores', () => {
  const labels = storeLaws.map(labelOf)

  it('are there, each under a name of its own, and say what they protect', () => {
    expect(labels).to.have.lengthOf.above(100)
    expect(new Set(labels)).to.have.lengthOf(labels.length)
    for (const law of storeLaws) expect(law.protects, labelOf(law)).to.match(/^[A-Z].*\.$/)
  })

  it('are each seen to fail on a broken store', () => {
    const seen = new Set(breakages.flatMap((breakage) => breakage.breaks))
    expect(labels.filter((label) => !seen.has(label))).to.deep.equal([])
  })

  for (const breakage of breakages) {
    it(`fail where ${breakage.name}`, async () => {
      expect(breakage.breaks).to.have.lengthOf.above(0)
      for (const label of breakage.breaks) {
        const law = storeLaws.find((one) => labelOf(one) === label)
        if (!law) expect.fail(`there is no law "${label}"`)
        const failure = await failureOf(law, breakage.open())
        expect(isVerdict(failure), `${label}: ${String(failure)}`).to.equal(true)
      }
    })
  }
})

function labelOf(law: Law): string {
  return `${law.port}: ${law.name}`
}

/** What the check rejects with, or `undefined` where the law is kept. */
async function failureOf(law: Law, store: Store): Promise<unknown> {
  try {
    await law.check(store)
    return undefined
  } catch (error) {
    return error
  }
}

/** The law noticed; it did not stumble over a mistake in the broken store. */
function isVerdict(error: unknown): boolean {
  return error instanceof AssertionError || error instanceof StoreError
}
