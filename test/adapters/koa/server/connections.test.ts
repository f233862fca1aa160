import { execFileSync } from 'node:child_process'
import { expect } from 'chai'
import { connectionLimit, createNotice } from '../../../../src/adapters/koa/server/connections.js'

describe('the connection limit of the server', () => {
  it('leaves file descriptors for other files, and is at least 1', () => {
    for (const [wanted, descriptors, connections] of [
      ...[
        [10_000, 10_128, 10_000],
        [10_000, 10_127, 9_999],
        [10_000, 256, 128],
        [10_000, 65, 32],
      ],
      ...[
        [128, 256, 128],
        [10, 1, 1],
      ],
    ] as const) {
      const limit = { connections, ...(connections < wanted && { descriptors }) }
      expect(connectionLimit(wanted, descriptors)).to.deep.equal(limit)
    }
  })

  it('depends on the descriptor limit of the current process', function () {
    const allowed = execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim()
    if (process.platform !== 'linux' || allowed === 'unlimited') this.skip()
    expect(connectionLimit(2 ** 40)).to.deep.equal(connectionLimit(2 ** 40, Number(allowed)))
  })
})

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
