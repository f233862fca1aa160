import assert from 'node:assert/strict'
import { storeLaws } from 'kennel-id/contracts'
import { describe, it } from 'mocha'
import { onFreshStore } from './fresh-store.js'

describe('the JSON file store', function () {
  this.timeout(120_000)

  // A loop over an empty list would pass.
  it('has laws to keep', () => assert.ok(storeLaws.length > 0))

  for (const law of storeLaws) {
    it(`${law.port}: ${law.name}`, () => onFreshStore(law.check))
  }
})
