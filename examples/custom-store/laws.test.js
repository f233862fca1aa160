import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { storeLaws } from 'kennel-id/contracts'
import { onFreshStore } from './fresh-store.js'

describe('the JSON file store', () => {
  // Without this test, an empty list of laws would pass.
  it('is tested by at least one law', () => assert.ok(storeLaws.length > 0))

  for (const law of storeLaws) {
    it(`${law.port}: ${law.name}`, { timeout: 120_000 }, () => onFreshStore(law.check))
  }
})
