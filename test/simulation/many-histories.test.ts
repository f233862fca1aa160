import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'chai'
import { NODES } from '../support/nodes.js'

const SIMULATOR = join(import.meta.dirname, 'main.js')
/** Node 24 and newer play twice as many histories per second as Node 20. */
const NEWEST = NODES.toSorted((one, other) => one.version.localeCompare(other.version)).at(-1)

describe('the simulator in a long run', () => {
  it('finds no history that violates the model', () => {
    const args = [SIMULATOR, '--histories', '20000', '--seed', '20261127']
    const { status, stdout } = spawnSync(NEWEST?.binary ?? '', args, { encoding: 'utf8' })
    expect(status, stdout).to.equal(0)
    const { histories, undecided } = JSON.parse(stdout) as Record<string, number>
    expect(histories).to.equal(20_000)
    // An undecided history has too many possible orders to try.
    expect(undecided).to.be.at.most(10)
  })
})
