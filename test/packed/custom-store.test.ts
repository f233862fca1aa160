import { expect } from 'chai'
import { storeLaws } from '../../src/contracts/index.js'
import { pack, type Packed } from './packed.js'
import { NODES, run } from './programs.js'

/** How each runner is started in the example custom-store, and how it counts. */
const RUNNERS = {
  'node:test': { args: ['--test', '--test-reporter', 'tap', 'laws.test.js'], passed: /^# pass (\d+)$/m },
  mocha: { args: ['node_modules/mocha/bin/mocha.js', 'laws.mocha.js'], passed: /^ +(\d+) passing/m },
  vitest: { args: ['node_modules/vitest/vitest.mjs', 'run'], passed: /Tests +(\d+) passed \(\1\)/ },
} as const

describe('from the packed tarball, the example custom-store', () => {
  let packed: Packed
  let folder: string
  before(async () => {
    packed = await pack()
    folder = await packed.installExample('custom-store')
  })
  after(() => packed.remove())

  // Each Node and each runner, not all pairs: two runners differ in how they start a test, not in what Node it has.
  const runners = Object.entries(RUNNERS)
  for (const index of Array(Math.max(NODES.length, runners.length)).keys()) {
    const [name, { args, passed }] = runners[index % runners.length]!
    const node = NODES[index % NODES.length]!
    it(`keeps every law under ${name} on Node ${node.version}`, async () => {
      const { code, stdout, stderr } = await run(node, args, { folder, env: { NO_COLOR: '1' } })
      // One test more: that there are laws.
      expect(Number(passed.exec(stdout)?.[1]), (stdout + stderr).slice(-3000)).to.equal(storeLaws.length + 1)
      expect(code).to.equal(0)
    })
  }
})
