import { expect } from 'chai'
import { createNotice } from '../../../../src/adapters/koa/server/connections.js'

describe('a notice', () => {
  it('is logged immediately and then at most once per minute, with the number of events', () => {
    const told: number[] = []
    const clock = { now: 5 }
    const happened = createNotice(
      (count) => told.push(count),
      () => clock.now,
    )
    for (let times = 0; times < 1001; times += 1) happened()
    for (const [now, expected] of [
      [60_004, [1]],
      [60_005, [1, 1002]],
      [600_000, [1, 1002, 1]],
    ] as const) {
      clock.now = now
      happened()
      expect(told).to.deep.equal(expected)
    }
  })
})
