import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { PROJECT } from '../support/project.js'
import { installBuilt } from '../support/built-package.js'
import { workplaceOfTests, wrongUsageOf } from './app.js'

const PASSWORD = 'a quiet river at dusk'
const EMAIL = 'ada@example.com'
const MODULE = './custom-store/store.js'

const OPENED = "import { createMemoryStore } from './node_modules/kennel-id/src/adapters/memory/index.js'\n"

type Printed = { readonly errors: readonly { message: string; code: number }[]; readonly save: number }

describe('app with a store module', () => {
  const place = workplaceOfTests({ shared: true, store: false })
  before(() => {
    cpSync(join(PROJECT, 'examples', 'custom-store'), join(place.folder, 'custom-store'), { recursive: true })
    installBuilt(place.folder, { '.': 'index', './ports': 'ports/index', './contracts': 'contracts/index' })
  })

  const write = (file: string, text: string) => writeFileSync(join(place.folder, file), text)
  const listed = async (args: readonly string[], env: Record<string, string> = {}) => {
    const { code, stdout } = await place.child(['user', 'list', ...args], { env })
    expect(code, stdout).to.equal(0)
    return (JSON.parse(stdout) as { email: string }[]).map(({ email }) => email)
  }

  describe('from the custom-store example', () => {
    before(async () => {
      const args = ['user', 'create', EMAIL, '--password-stdin', '--store', MODULE]
      const made = await place.child(args, { input: PASSWORD })
      expect([made.code, JSON.parse(made.stdout)]).to.deep.equal([0, { errors: [], save: 1 }])
    })

    it('opens the store from STORE_MODULE, and closes it when the service stops', async () => {
      const service = await place.serve({ STORE_MODULE: MODULE })
      expect((await service.logIn(EMAIL, PASSWORD)).status).to.equal(200)
      expect(await service.stop(), service.log()).to.equal(0)
    })

    it('prefers --store if the environment names a different store', async () => {
      const env = { DATABASE_URL: 'sqlite:other.db', STORE_MODULE: './missing.js' }
      await place.app(['store', 'create'], { env: { DATABASE_URL: 'sqlite:other.db' } })
      expect(await listed(['--store', MODULE], env)).to.deep.equal([EMAIL])
      expect(await listed(['--store', MODULE], { DATABASE_URL_FILE: 'missing' })).to.deep.equal([EMAIL])
      expect(await listed([], { DATABASE_URL: 'sqlite:other.db' })).to.deep.equal([])
    })
  })

  describe('whose store has only the identity ports', () => {
    const args = ['--store', './identity-alone.js']
    before(() => {
      const ports = '{ accounts, sessions, attempts, ready, close }'
      const opening = `() => { const ${ports} = createMemoryStore(); return ${ports} }`
      write('identity-alone.js', `${OPENED}export default ${opening}`)
    })

    for (const [command, port] of [
      ['role list', 'roles'],
      ['store copy --to sqlite:copy.db', 'copyableRecords'],
    ] as const)
      it(`exits with status 2 for ${command}, and names the missing port ${port}`, async () => {
        const said = await wrongUsageOf(place, [...command.split(' '), ...args])
        expect(said).to.contain(`This store has no ${port}, which the command needs`)
      })

    it('runs all other commands', async () => {
      const create = `user create ${EMAIL} --password-stdin ${args.join(' ')}`
      expect(await place.run(create, { input: PASSWORD })).to.deep.equal([0, { errors: [], save: 1 }])
      const purged = await place.run(`store purge ${args.join(' ')}`)
      expect(purged).to.deep.equal([0, { errors: [], save: 1, removed: 0 }])
    })

    it('runs a service that omits the missing features', async () => {
      const service = await place.serve({}, { args })
      expect((await service.logIn(EMAIL, PASSWORD)).status).to.equal(401)
      expect((await fetch(`${service.origin}/v1/pets`)).status).to.equal(404)
      expect(await service.stop(), service.log()).to.equal(0)
      expect(service.log()).to.contain('the store has no audit log')
    })
  })

  it('resolves a package from the current folder', async () => {
    const folder = join(place.folder, 'node_modules', 'our-store')
    mkdirSync(folder, { recursive: true })
    const manifest = { name: 'our-store', type: 'module', exports: { '.': { import: './index.js' } } }
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
    const text = "export { default as openStore } from '../../custom-store/store.js'"
    writeFileSync(join(folder, 'index.js'), text)
    expect(await listed([], { STORE_MODULE: 'our-store' })).to.be.an('array')
  })

  it('rejects an empty --store instead of falling back to another store', async () => {
    for (const command of ['user list', 'serve'])
      expect(await wrongUsageOf(place, `${command} --store=`)).to.contain(
        '--store requires the path of a module or the name of a package',
      )
  })

  it('prints incomplete JSON and the error if an export fails midway', async () => {
    write(
      'failing.js',
      `${OPENED}import { unavailable } from 'kennel-id'
      export default async () => {
        const store = createMemoryStore()
        await store.accounts.insert({ email: '${EMAIL}', createdAt: 1 })
        const page = async () => { throw unavailable('the table server is away') }
        return { ...store, projects: { ...store.projects, page } }
      }`,
    )
    const { code, stdout, stderr } = await place.child(['user', 'export', EMAIL, '--store', './failing.js'])
    expect([code, ...new Set(stderr.trim().split('\n'))]).to.deep.equal([1, 'the table server is away'])
    expect(stdout).to.match(/^\{"account": \{"id":1,/)
    expect(stdout.trimEnd()).to.match(/\]$/)
    expect(() => JSON.parse(stdout) as unknown).to.throw(SyntaxError)
  })

  it('reports errors of a store in plain sentences, without a stack trace', async () => {
    const away =
      "import { unavailable } from 'kennel-id'\nexport default async () => { throw unavailable('it is away') }"
    write('away.js', away)
    const command = await place.child(['user', 'create', EMAIL, '--store', './away.js'])
    const service = await place.child(['serve', '--store', './away.js'], { env: { PORT: '0' } })
    const { errors, save } = JSON.parse(command.stdout) as Printed
    expect([command.code, save, service.code]).to.deep.equal([1, 0, 1])
    expect(errors.map(({ message }) => message)).to.deep.equal(['it is away'])
    expect(service.stderr.trimEnd()).to.equal('it is away')
    expect(service.stdout).to.not.contain('"ready"')
  })
})
