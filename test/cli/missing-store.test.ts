import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { COMMANDS } from '../../src/program/commands.js'
import { PRODUCTION, workplaceOfTests } from './app.js'
import { idOf, STEPS } from './every-command.js'

const FIRST = ['user:create', 'user:import', 'role:create', 'apikey:create']
/** Commands that need no store, and commands that create a store even in production. */
const OTHERS = ['serve', 'store:create', 'user:help', 'key:generate', 'config:check', 'autocomplete']
const NEVER = Object.keys(COMMANDS).filter((id) => ![...FIRST, ...OTHERS].includes(id))
const MISSING =
  /The database file \S+\/data\/app\.db does not exist: .*\\?"store create\\?" or \\?"serve --create\\?"/

describe('a store that does not exist', () => {
  const place = workplaceOfTests({ store: false })

  async function run(id: string, env: Record<string, string> = {}) {
    const [command = '', , input = ''] = STEPS.find((step) => idOf(step[0]) === id) ?? []
    return await place.app(command.split(' '), { env, input: input.split('\n', 1)[0] ?? '' })
  }

  async function expectRefused(id: string, env: Record<string, string> = {}) {
    const { code, stdout, stderr } = await run(id, env)
    expect([code, readdirSync(place.folder)], id).to.deep.equal([1, []])
    expect(stdout, id).to.match(MISSING)
    expect(stderr, id).to.match(MISSING)
  }

  it('is not created by a command that needs existing data', async () => {
    for (const id of NEVER) await expectRefused(id)
  })

  it('is created in production only by store create, which reports the creation once', async () => {
    for (const id of [...NEVER, ...FIRST]) await expectRefused(id, PRODUCTION)
    const made = await place.app(['store', 'create'], { env: PRODUCTION })
    expect([made.code, JSON.parse(made.stdout)]).to.deep.equal([0, { errors: [], save: 1 }])
    expect(made.stderr).to.match(/^A new, empty store was created: \S+\/data\/app\.db\n$/)
    const again = await place.app(['store', 'create'], { env: PRODUCTION })
    expect([again.code, JSON.parse(again.stdout), again.stderr]).to.deep.equal([
      0,
      { errors: [], save: 0, unchanged: 1 },
      '',
    ])
    expect((await place.app(['user', 'list'], { env: PRODUCTION })).stdout).to.equal('[]\n')
  })

  for (const id of FIRST)
    it(`is created in development by ${id}, which reports the creation`, async () => {
      const { stderr } = await run(id)
      expect(existsSync(join(place.folder, 'data', 'app.db'))).to.equal(true)
      expect(stderr).to.match(/^A new, empty store was created: \S+\/data\/app\.db$/m)
    })

  it('prevents a service from starting in production without --create', async () => {
    const refused = await place.child(['serve'], { env: PRODUCTION })
    expect([refused.code, readdirSync(place.folder)]).to.deep.equal([1, []])
    expect(refused.stderr).to.match(MISSING)
    const service = await place.serve({ ...PRODUCTION, WORKERS: '2' }, { args: ['--create'] })
    expect(await service.stop()).to.equal(0)
    expect(service.log().match(/"event":"store created"/g)).to.have.length(1)
    const next = await place.serve(PRODUCTION)
    expect(await next.stop()).to.equal(0)
    expect(next.log()).to.not.contain('store created')
  })

  it('is created in development by a service, which reports the creation in one line', async () => {
    const service = await place.serve()
    expect(await service.stop()).to.equal(0)
    expect(service.log()).to.match(
      /"level":"info",.*"detail":"a new, empty store: \S+\/data\/app\.db","event":"store created"/,
    )
  })
})

/**
 * Returns the size of the write-ahead logs. With the SQLite package for Node 20, a clean exit leaves an empty log; any content would mean
 * lost writes.
 */
const logBytes = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('-wal'))
    .map((name) => statSync(join(folder, name)).size)
    .reduce((sum, size) => sum + size, 0)

describe('the SQLite files that remain after a clean exit', () => {
  const place = workplaceOfTests()

  const file = () => ({ DATABASE_URL: `sqlite:${join(place.folder, 'data', 'app.db')}` })
  const data = () => join(place.folder, 'data')

  for (const workers of ['1', '2'])
    it(`include an empty write-ahead log for a service with ${workers} workers`, async () => {
      const env = { ...file(), LOGIN_LIMIT: '10/15m', WORKERS: workers }
      const service = await place.serve(env)
      const login = await service.logIn('ada@example.com', 'a guess')
      const before = logBytes(data())
      expect([login.status, await service.stop()]).to.deep.equal([401, 0])
      expect(before).to.be.greaterThan(0)
      expect(readdirSync(data())).to.include.members(['app.db', 'app.db-attempts'])
      expect(logBytes(data())).to.equal(0)
    })

  it('are a single file after a command', async () => {
    const made = await place.child(['role', 'create', 'editor', 'Editor'], { env: file() })
    const listed = await place.child(['role', 'list'], { env: file() })
    expect([made.code, listed.code]).to.deep.equal([0, 0])
    expect(readdirSync(data())).to.deep.equal(['app.db'])
  })
})
