import { storeLaws } from 'kennel-id/contracts'
import { describe, expect, it } from 'vitest'
import { onFreshStore } from './fresh-store.js'

describe('the JSON file store', () => {
  // A loop over an empty list would pass.
  it('has laws to keep', () => expect(storeLaws.length).toBeGreaterThan(0))

  for (const law of storeLaws) {
    it(`${law.port}: ${law.name}`, () => onFreshStore(law.check), 120_000)
  }
})
