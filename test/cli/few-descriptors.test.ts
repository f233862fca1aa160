import { expect } from 'chai'
import type { Outcome } from '../support/outcome.js'
import { workplaceOfTests } from './app.js'

/** Below the first limit, Node itself may fail to read the program; at the last limit, every command works. */
const LIMITS = [20, 22, 24, 25, 26, 27, 28, 30, 34, 96]

describe('a command with few file descriptors', () => {
  const place = workplaceOfTests()
  beforeEach(async () => {
    await place.app(['role', 'create', 'keeper', 'Keeper'])
  })

  it('works, or fails with advice to raise the limit and without a stack trace', async () => {
    const outcomes: Outcome[] = []
    for (const limit of LIMITS) outcomes.push(await place.shell(`ulimit -n ${limit} && app role list`))
    const told = outcomes.filter(({ stderr }) => !isOfNode(stderr))
    const failed = told.filter(({ code }) => code !== 0)
    expect(failed).to.not.be.empty
    for (const { stderr, stdout } of failed) {
      expect(stderr).to.match(/too many (open )?files.*ulimit -n 1024.*LimitNOFILE=/is)
      expect(stderr).to.not.match(/^\s+at /m)
      expect(stdout).to.not.include('Internal error')
    }
    expect(told.at(-1)?.code).to.equal(0)
  })
})

/** Whether Node failed before it could start the program. */
function isOfNode(stderr: string): boolean {
  const isUnread = /open '[^']*bin\/[\w-]+\.js'|^Error: Cannot read package config/m
  return isUnread.test(stderr) || (!/EMFILE|ulimit/.test(stderr) && /node::|Assertion/.test(stderr))
}
