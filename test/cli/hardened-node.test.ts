import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { workplaceOfTests } from './app.js'

const HARDENED = '--disallow-code-generation-from-strings'
const ACCOUNT = { email: 'ada@example.com', password: 'a long walk in the park' }

describe('Node without code generation from strings', () => {
  const place = workplaceOfTests({ shared: true })

  it('runs commands, their help and a service with workers', async () => {
    const env = { NODE_OPTIONS: HARDENED }
    const input = ACCOUNT.password
    const created = await place.child(['user', 'create', ACCOUNT.email, '--password-stdin'], { env, input })
    const help = await place.child(['role', 'create', '--help'], { env })
    const wrong = await place.child(['user', 'promote'], { env })
    expect([created.code, help.code, wrong.code], created.stderr + help.stderr).to.deep.equal([0, 0, 2])
    expect(help.stdout).to.contain('$ app role create ').and.not.contain('<%')
    for (const WORKERS of ['1', '2']) {
      const service = await place.serve({ ...env, WORKERS })
      const { status } = await service.logIn(ACCOUNT.email, ACCOUNT.password)
      expect([status, await service.stop()]).to.deep.equal([200, 0])
    }
  })

  it('loads each entry point of the library except koa, and logs in', async () => {
    const program = join(import.meta.dirname, 'hardened-node-main.js')
    const { stdout } = await promisify(execFile)(process.execPath, [HARDENED, program])
    const { failed, loaded, status } = JSON.parse(stdout) as Record<string, unknown>
    expect({ failed, status }).to.deep.equal({ failed: [], status: 200 })
    expect(loaded).to.include.members([
      ...['.', './web', './sqlite', './mongodb', './memory', './jose', './paseto'],
    ])
  })
})
