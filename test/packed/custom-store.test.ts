import { expect } from 'chai'
import { storeLaws } from '../../src/contracts/index.js'
import { rotating } from '../support/rotation.js'
import { installExample } from './packed.js'
import { NODES } from '../support/nodes.js'
import { run } from './programs.js'

/** The commands that start each runner in the custom-store example, and the format in which it prints its counts. */
const RUNNERS = [
  {
    name: 'node:test',
    args: ['--test', '--test-reporter', 'tap', 'laws.test.js'],
    passed: /^# pass (\d+)$/m,
  },
  { name: 'mocha', args: ['node_modules/mocha/bin/mocha.js', 'laws.mocha.js'], passed: /^ +(\d+) passing/m },
  {
    name: 'vitest',
    args: ['node_modules/vitest/vitest.mjs', 'run'],
    passed: /Tests +(\d+) passed \(\1\)/,
  },
] as const

/**
 * Covers each Node version and each runner, but not every pair, because runners do not depend on the Node version. Each CI run selects a
 * different pair.
 */
const COUNT = RUNNERS.length * Math.ceil(NODES.length / RUNNERS.length)
const PAIRS = Array.from({ length: COUNT }, (_, index) => ({
  node: NODES[index % NODES.length]!,
  runner: RUNNERS[index % RUNNERS.length]!,
}))

describe('the custom-store example from the packed tarball', () => {
  let folder: string
  before(async () => {
    folder = await installExample('custom-store')
  })

  for (const { node, runner } of rotating(PAIRS, 1)) {
    it(`passes every law under ${runner.name} on Node ${node.version}`, async () => {
      const { code, stdout, stderr } = await run(node, runner.args, { folder, env: { NO_COLOR: '1' } })
      // The suite has one test per law, and another test that checks that laws were found.
      const count = Number(runner.passed.exec(stdout)?.[1])
      expect(count, (stdout + stderr).slice(-3000)).to.equal(storeLaws.length + 1)
      expect(code).to.equal(0)
    })
  }
})
