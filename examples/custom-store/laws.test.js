import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { storeLaws } from 'kennel-id/contracts'
import { onFreshStore } from './fresh-store.js'

describe('the JSON file store', () => {
  // A loop over an empty list would pass.
  it('has laws to keep', () => assert.ok(storeLaws.length > 0))

  for (const law of storeLaws) {
    it(`${law.port}: ${law.name}`, { timeout: 120_000 }, () => onFreshStore(law.check))
  }
})
