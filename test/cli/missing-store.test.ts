import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { COMMANDS } from '../../src/program/commands.js'
import { workplaceOfTests } from './app.js'

/** Every command that works with a store and must not make one, with arguments that it takes. */
const NEVER: Readonly<Record<string, readonly string[]>> = {
  'user:password': ['ada@example.com', '--password-stdin'],
  'user:role': ['ada@example.com', 'editor'],
  'user:list': [],
  'user:show': ['ada@example.com'],
  'user:duplicates': [],
  'user:disable': ['ada@example.com'],
  'user:enable': ['ada@example.com'],
  'user:delete': ['ada@example.com'],
  'user:export': ['ada@example.com'],
  'user:factor': ['ada@example.com'],
  'role:list': [],
  'session:list': ['ada@example.com'],
  'session:revoke': ['ada@example.com'],
  'apikey:list': [],
  'apikey:revoke': ['1'],
  'audit:list': [],
  'store:purge': [],
  'store:copy': ['--to', 'sqlite:copy.db'],
}
/** Those that make one outside production. */
const FIRST: Readonly<Record<string, readonly string[]>> = {
  'user:create': ['ada@example.com', '--password-stdin'],
  'user:import': ['-'],
  'role:create': ['editor', 'Editor'],
  'apikey:create': ['Shop'],
}
const OTHERS = ['serve', 'store:create', 'user:help', 'key:generate', 'autocomplete']
const PASSWORD = 'a good long password'
const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://pets.example',
  SECURITY_JWT_PASSPHRASE: 'Only-for-tests: 4 kennels & 12 hounds',
}
const MISSING =
  /The database file \S+\/data\/app\.db does not exist: .*\\?"store create\\?" or \\?"serve --create\\?"/

describe('a store that does not exist', () => {
  const place = workplaceOfTests({ store: false })

  async function expectRefused(id: string, args: readonly string[], env: Record<string, string> = {}) {
    const input = id === 'user:import' ? '{"email":"ada@example.com"}' : PASSWORD
    const { code, stdout, stderr } = await place.app([...id.split(':'), ...args], { env, input })
    expect([code, readdirSync(place.folder)], id).to.deep.equal([1, []])
    expect(stdout, id).to.match(MISSING)
    expect(stderr, id).to.match(MISSING)
  }

  it('is known to every command', () => {
    const listed = [...Object.keys(NEVER), ...Object.keys(FIRST), ...OTHERS]
    expect(listed.toSorted()).to.deep.equal(Object.keys(COMMANDS).toSorted())
  })

  it('is not made by a command that works on its content', async () => {
    for (const [id, args] of Object.entries(NEVER)) await expectRefused(id, args)
  })

  it('is made in production by no command but its own, which says so once', async () => {
    for (const [id, args] of Object.entries({ ...NEVER, ...FIRST })) await expectRefused(id, args, PRODUCTION)
    const made = await place.app(['store', 'create'], { env: PRODUCTION })
    expect([made.code, JSON.parse(made.stdout)]).to.deep.equal([0, { errors: [], save: 1 }])
    expect(made.stderr).to.match(/^A new, empty store was made: \S+\/data\/app\.db\n$/)
    const again = await place.app(['store', 'create'], { env: PRODUCTION })
    expect([again.code, JSON.parse(again.stdout), again.stderr]).to.deep.equal([
      0,
      { errors: [], save: 0, unchanged: 1 },
      '',
    ])
    expect((await place.app(['user', 'list'], { env: PRODUCTION })).stdout).to.equal('[]\n')
  })

  for (const [id, args] of Object.entries(FIRST))
    it(`is made by ${id} in development, which says so`, async () => {
      const input = id === 'user:import' ? '{"email":"ada@example.com"}' : PASSWORD
      const { code, stderr } = await place.app([...id.split(':'), ...args], { input })
      expect([code, existsSync(join(place.folder, 'data', 'app.db'))]).to.deep.equal([0, true])
      expect(stderr).to.match(/^A new, empty store was made: \S+\/data\/app\.db$/m)
    })

  it('stops a service in production at its start, which makes one with --create alone', async () => {
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

  it('is made by a service in development, which says so in one line', async () => {
    const service = await place.serve()
    expect(await service.stop()).to.equal(0)
    expect(service.log()).to.match(
      /"level":"info",.*"detail":"a new, empty store: \S+\/data\/app\.db","event":"store created"/,
    )
  })
})
