import { expect } from 'chai'
import { createNotice } from '../../../../src/adapters/koa/server/connection-notices.js'

describe('a notice', () => {
  it('is logged immediately and then at most once per minute, with the number of events', () => {
    const told: number[] = []
    const clock = { now: 5 }
    const happened = createNotice(
      (count) => told.push(count),
      () => clock.now,
    )
    happened()
    for (let times = 0; times < 1000; times += 1) happened()
    clock.now = 60_004
    happened()
    expect(told).to.deep.equal([1])
    clock.now = 60_005
    happened()
    expect(told).to.deep.equal([1, 1002])
    clock.now = 600_000
    happened()
    expect(told).to.deep.equal([1, 1002, 1])
  })
})
