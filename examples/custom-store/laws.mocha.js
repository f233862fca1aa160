import assert from 'node:assert/strict'
import { storeLaws } from 'kennel-id/contracts'
import { describe, it } from 'mocha'
import { onFreshStore } from './fresh-store.js'

describe('the JSON file store', function () {
  this.timeout(120_000)

  // Without this test, an empty list of laws would pass.
  it('is tested by at least one law', () => assert.ok(storeLaws.length > 0))

  for (const law of storeLaws) {
    it(`${law.port}: ${law.name}`, () => onFreshStore(law.check))
  }
})
