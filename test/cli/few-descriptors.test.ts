import { spawnSync } from 'node:child_process'
import { expect } from 'chai'
import { APP, type Workplace, workplaceOfTests } from './app.js'

/** Below the first limit even Node may fail to read the program; at the last limit every command works. */
const LIMITS = [20, 22, 24, 25, 26, 27, 28, 30, 34, 64]

describe('a command with few file descriptors', () => {
  const place = workplaceOfTests()
  beforeEach(async () => {
    await place.app(['role', 'create', 'keeper', 'Keeper'])
  })

  it('works, or asks to raise the limit, and shows no stack', () => {
    const told = LIMITS.map((limit) => run(place, limit)).filter(({ stderr }) => !isOfNode(stderr))
    const failed = told.filter(({ status }) => status !== 0)
    expect(failed).to.not.be.empty
    for (const { stderr } of failed) {
      expect(stderr).to.match(/too many (open )?files.*ulimit -n 1024.*LimitNOFILE=/is)
      expect(stderr).to.not.match(/^\s+at /m)
    }
    expect(told.at(-1)?.status).to.equal(0)
  })
})

function run({ folder, env }: Workplace, limit: number) {
  const line = ['-c', `ulimit -n ${String(limit)} && exec "$0" "$@"`, process.execPath, APP, 'role', 'list']
  return spawnSync('sh', line, { cwd: folder, env, encoding: 'utf8' })
}

/** Whether Node failed before it could start the program. */
function isOfNode(stderr: string): boolean {
  const isUnread = /open '[^']*bin\/[\w-]+\.js'|^Error: Cannot read package config/m
  return isUnread.test(stderr) || (!/EMFILE|ulimit/.test(stderr) && /node::|Assertion/.test(stderr))
}
