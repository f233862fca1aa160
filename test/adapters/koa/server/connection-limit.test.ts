import { execFileSync } from 'node:child_process'
import { expect } from 'chai'
import { connectionLimit } from '../../../../src/adapters/koa/server/connections.js'

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
