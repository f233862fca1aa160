import { expect } from 'chai'
import { withIsoTimes } from '../../src/domain/instant.js'

describe('the JSON form of an object with instants', () => {
  it('contains the instants as UTC strings, and other numbers unchanged', () => {
    expect(
      withIsoTimes({ id: 7, at: 0, since: 1, revokedAt: 2, lastAt: undefined, active: true }),
    ).to.deep.equal({
      ...{ id: 7, at: '1970-01-01T00:00:00.000Z', since: '1970-01-01T00:00:00.001Z' },
      ...{ revokedAt: '1970-01-01T00:00:00.002Z', lastAt: undefined, active: true },
    })
  })
})
