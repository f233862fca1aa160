import { execFileSync } from 'node:child_process'
import { expect } from 'chai'
import { connectionLimit } from '../../../../src/adapters/koa/server/connection-limit.js'

describe('the connection limit of the server', () => {
  for (const [wanted, descriptors, limit] of [
    [10_000, 1_048_576, { connections: 10_000 }],
    [10_000, 10_128, { connections: 10_000 }],
    [10_000, 10_127, { connections: 9_999, descriptors: 10_127 }],
    [10_000, 1024, { connections: 896, descriptors: 1024 }],
    [10_000, 256, { connections: 128, descriptors: 256 }],
    [10_000, 65, { connections: 32, descriptors: 65 }],
    [100, 256, { connections: 100 }],
    [128, 256, { connections: 128 }],
    [10, 1, { connections: 1, descriptors: 1 }],
  ] as const) {
    it(`is ${limit.connections} for ${wanted} wanted connections and ${descriptors} descriptors`, () => {
      expect(connectionLimit(wanted, descriptors)).to.deep.equal(limit)
    })
  }

  it('depends on the descriptor limit of the current process', function () {
    const allowed = execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim()
    if (process.platform !== 'linux' || allowed === 'unlimited') this.skip()
    expect(connectionLimit(2 ** 40)).to.deep.equal(connectionLimit(2 ** 40, Number(allowed)))
  })
})
