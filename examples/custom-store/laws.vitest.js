import { storeLaws } from 'kennel-id/contracts'
import { describe, expect, it } from 'vitest'
import { onFreshStore } from './fresh-store.js'

describe('the JSON file store', () => {
  // Without this test, an empty list of laws would pass.
  it('is tested by at least one law', () => expect(storeLaws.length).toBeGreaterThan(0))

  for (const law of storeLaws) {
    it(`${law.port}: ${law.name}`, () => onFreshStore(law.check), 120_000)
  }
})
