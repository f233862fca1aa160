import { copyFileSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { expect } from 'chai'
import { ranScripts } from '../support/built-package.js'
import { plant, PROJECT } from '../support/project.js'
import { install, npm, pack, type Packed } from './packed.js'
import { type Node, NODES } from '../support/nodes.js'
import { run, SETTINGS, someNodes } from './programs.js'
import { ROOT_PAGES } from '../support/pages/blocks.js'
import { temporaryFolder } from '../support/temporary-folder.js'

type Versions = Readonly<Record<string, string>>
type Manifest = {
  readonly exports: Readonly<Record<string, unknown>>
  readonly dependencies?: Versions
  readonly optionalDependencies?: Versions
  readonly peerDependencies?: Versions
}
const MANIFEST = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as Manifest
const ASKED_FOR = Object.keys({
  ...MANIFEST.dependencies,
  ...MANIFEST.optionalDependencies,
  ...MANIFEST.peerDependencies,
})

const ENTRIES = Object.keys(MANIFEST.exports).filter((path) => path !== './package.json')

/** The packages of our manifest that each entry loads when it is imported. Entries that are not listed load no package. */
const LOADS: Readonly<Record<string, readonly string[]>> = {
  './koa': ['@koa/router', 'content-type', 'fresh', 'koa', 'koa-bodyparser', 'zod'],
  './web': ['content-type', 'fresh', 'zod'],
  './pages': ['content-type'],
  './jose': ['jose'],
  './scrypt': ['scrypt-kdf'],
  './pino': ['pino'],
  './prometheus': ['prom-client'],
  './verify': ['jose'],
}

/**
 * A program that imports an entry and prints the process state before and after. The streams are used before the comparison, because their
 * first use creates them.
 */
const IMPORTING = `
  const { stdout, stderr } = process
  const state = () => ({
    listeners: process.eventNames().map((name) => [String(name), process.listenerCount(name)]),
    resources: process.getActiveResourcesInfo(),
    env: { ...process.env },
  })
  const before = state()
  await import(process.argv[1])
  await new Promise(setImmediate)
  stdout.write(JSON.stringify({ before, after: state() }))
`

/** A program that opens one copy of the package and calls it through the other copy. */
const TWO_COPIES = `
  import * as ours from 'kennel-id'
  import * as other from 'kennel-other'
  import { createHttpService } from 'kennel-id/koa'
  import { createServer } from 'node:http'
  const { SECURITY_JWT_PASSPHRASE: passphrase, PUBLIC_URL: publicUrl } = process.env
  const options = { store: 'memory:', passphrase, publicUrl, production: false, background: false }
  const kennel = await other.openKennel(options)
  const refusal = await kennel.getIdentity({}).catch((error) => error)
  const misused = await other.openKennel({}).catch((error) => error)
  const settings = kennel.httpSettings
  const log = { debug() {}, info() {}, warn() {}, error: console.error, enabled: () => false }
  const service = createHttpService({ useCases: kennel, settings, readiness: () => kennel.ready(), log })
  const server = createServer(service.callback()).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const reply = await fetch('http://127.0.0.1:' + server.address().port + '/api/auth/get-identity')
  await new Promise((resolve) => server.close(resolve))
  await kennel.close()
  console.log(JSON.stringify({
    isOurs: refusal instanceof ours.Refusal,
    isRefusal: ours.isRefusal(refusal),
    codes: [refusal.code, misused.code],
    status: reply.status,
  }))
`

const WITHOUT_PEERS = `
  import { openKennel } from 'kennel-id'
  import { openMongo } from 'kennel-id/mongodb'
  import { createPasetoFormat } from 'kennel-id/paseto'
  import { openPostgres } from 'kennel-id/postgresql'
  import { createPasskeyVerifier } from 'kennel-id/webauthn'
  const { SECURITY_JWT_PASSPHRASE: passphrase, PUBLIC_URL: publicUrl } = process.env
  const calls = [
    openMongo('mongodb://127.0.0.1:1/kennel'),
    openPostgres('postgresql://127.0.0.1:1/app'),
    createPasetoFormat({ keys: [], currentKid: 'none' }),
    openKennel({ passphrase, publicUrl, production: false, store: 'memory:', tokenFormat: 'paseto' }),
    createPasskeyVerifier({ id: 'kennel.example', origins: [] }),
  ]
  const outcomes = await Promise.allSettled(calls)
  console.log(JSON.stringify(outcomes.map(({ reason }) => [reason?.code, reason?.messages?.[0]?.message ?? String(reason)])))
`

describe('the package', () => {
  let packed: Packed
  let folder: string
  before(async () => {
    packed = await pack()
    folder = await install({ ...MANIFEST.peerDependencies, 'kennel-id': '*', 'kennel-other': '*' })
  })

  const evaluate = (
    node: Node,
    text: string,
    args: readonly string[],
    env: Readonly<Record<string, string>>,
  ) => run(node, ['--input-type=module', '--eval', text, ...args], { folder, env })

  const textOf = (file: string) => readFileSync(join(folder, 'node_modules', 'kennel-id', file), 'utf8')
  const linksOf = (page: string) =>
    Array.from(textOf(page).matchAll(/\]\((?!\w+:)([^)#]+)[^)]*\)/g), ([, link = '']) => ({
      page,
      target: posix.join(posix.dirname(page), link),
    }))
  const isHeld = (target: string) =>
    packed.files.some((file) => file === target || file.startsWith(`${target.replace(/\/$/, '')}/`))

  it('contains the files for its users, and no development files', () => {
    const folders = /^(dist\/(lib|src|app)|templates|bin|docs|examples)\//
    const ours = packed.files.filter((file) => !folders.test(file)).sort()
    const pages = ROOT_PAGES.filter((page) => page !== 'CONTRIBUTING.md')
    expect(ours).to.deep.equal(['.env.example', 'LICENSE', 'package.json', ...pages].sort())
    const sections = packed.files.flatMap((file) => (/^docs\/(.*)\//.exec(file) ?? []).slice(1))
    expect(new Set(sections)).to.deep.equal(new Set(['embed', 'http', 'operate', 'operate/files']))
    const isExampleOfLaws = (file: string) =>
      /^examples\/(custom-store|users-table)\/laws\.test\.js$/.test(file)
    const tests = packed.files.filter((file) => /\.(test|bench)\.|node_modules/.test(file))
    expect(tests.filter((file) => !isExampleOfLaws(file))).to.deep.equal([])
    expect(packed.files).to.include('dist/lib/index.js').and.include('dist/src/index.d.ts')
    expect(packed.files).to.include('dist/app/main.js').and.not.include('dist/app/contents.json')
  })

  it('contains each of our files that its modules and declarations import', () => {
    const importing = packed.files.filter((file) => /^dist\/(lib|src)\/.*\.(js|d\.ts)$/.test(file))
    const imported = importing.flatMap((file) =>
      Array.from(textOf(file).matchAll(/(?:from|import)\s*\(?['"](\.[^'"]+)['"]/g), ([, path = '']) =>
        posix.join(posix.dirname(file), file.endsWith('.d.ts') ? path.replace(/\.js$/, '.d.ts') : path),
      ),
    )
    for (const ending of ['.js', '.d.ts'])
      expect(imported.filter((file) => file.endsWith(ending))).to.have.length.above(200)
    expect(imported.filter((file) => !packed.files.includes(file))).to.deep.equal([])
  })

  it('has at most 850 files; its only compiled modules are the client, the pages and third-party code', () => {
    expect(packed.files.length).to.be.within(400, 850)
    const compiled = packed.files.filter((file) => /^dist\/src\/.*\.js$/.test(file))
    expect(compiled).to.include('dist/src/client/index.js')
    // A page is a separate file that every bundle shares.
    const pages = ['admin-page', 'pages'].map((name) => `dist/src/http/${name}/packed-files.js`)
    expect(compiled).to.include.members(pages)
    const others = compiled.filter((file) => !file.startsWith('dist/src/client/') && !pages.includes(file))
    expect(others.filter((file) => !textOf(file).startsWith('/*!'))).to.deep.equal([])
  })

  it('contains no files that an example has created in its folder', async () => {
    const left = [
      ...['data/app.db', 'data/development-passphrase', 'node_modules/express/index.js', 'package-lock.json'],
      ...['.env', 'users.db', 'kennel.db-wal', 'store.json', 'kennel-id-0.7.0.tgz', 'page/app.js'],
      ...['dist/main.js', '.next/server/app.js', 'next-env.d.ts', 'deno.lock', 'bun.lock'],
    ]
    const named = ['package.json', 'dist/lib/index.js', 'examples/react/page/index.html']
    const files = [...named.slice(1), ...left.map((file) => `examples/react/${file}`)]
    const tree = plant(Object.fromEntries(files.map((file) => [file, ''])))
    for (const file of ['package.json', 'examples/.gitignore'])
      copyFileSync(join(PROJECT, file), join(tree.folder, file))
    const args = ['pack', '--json', '--ignore-scripts', '--dry-run']
    const [made] = JSON.parse(await npm(tree.folder, args)) as [{ files: readonly { path: string }[] }]
    tree.remove()
    expect(made.files.map(({ path }) => path).sort()).to.deep.equal(named.sort())
  })

  it('contains third-party code with its license, and does not depend on the copied packages', () => {
    const holding = {
      'http/api-page/packed-files.js': ['swagger-ui-dist/LICENSE', 'swagger-ui-dist/NOTICE'],
      'adapters/imported-hashes/thread-source.js': ['bcryptjs/LICENSE', 'hash-wasm/LICENSE'],
      'adapters/bowser/bowser.js': ['bowser/LICENSE'],
      'adapters/blocklist/common-passwords.js': ['@zxcvbn-ts/language-common/LICENSE.txt'],
      'adapters/otpauth/otpauth.js': ['otpauth/LICENSE.md'],
      'adapters/otpauth/uqr.js': ['uqr/LICENSE'],
    }
    for (const [file, licences] of Object.entries(holding))
      for (const licence of licences) {
        const text = readFileSync(join(PROJECT, 'node_modules', licence), 'utf8').trim()
        expect(textOf(`dist/src/${file}`), licence).to.include(text)
      }
    const notices = textOf('dist/lib/THIRD-PARTY-NOTICES.txt')
    for (const licence of ['koa-session/LICENSE', 'crc/LICENSE', 'lru-cache/LICENSE.md'])
      expect(notices).to.include(readFileSync(join(PROJECT, 'node_modules', licence), 'utf8').trim())
    const theirs =
      /^(kennel-id|swagger-ui-dist|@scarf|bcryptjs|hash-wasm|bowser|@zxcvbn-ts|otpauth|uqr|@noble|koa-session|crc|lru-cache)$/
    const installed = readdirSync(join(folder, 'node_modules')).filter((name) => theirs.test(name))
    expect(installed).to.deep.equal(['kennel-id'])
  })

  it('contains no source maps, and no module refers to a map', () => {
    expect(packed.files.filter((file) => file.endsWith('.map'))).to.deep.equal([])
    const code = packed.files.filter((file) => /\.[cm]?[jt]s$/.test(file))
    expect(code).to.include.members(['dist/lib/index.js', 'dist/src/index.d.ts'])
    expect(code.filter((file) => /^\/\/[#@] sourceMappingURL=/m.test(textOf(file)))).to.deep.equal([])
  })

  it('contains all files that its pages link to', () => {
    const links = packed.files.filter((file) => file.endsWith('.md')).flatMap(linksOf)
    expect(links.length).to.be.above(100)
    expect(links.filter(({ target }) => !isHeld(target))).to.deep.equal([])
  })

  it('has a download size below 2.7 MB: half for the command, and a quarter for the page at /docs', () => {
    expect(packed.size).to.be.within(100_000, 2_700_000)
  })

  it('reports the missing optional package wherever it is needed', async () => {
    const bare = await install({ 'kennel-id': '*' })
    const [node] = NODES
    const outcome = await run(node as Node, ['--input-type=module', '--eval', WITHOUT_PEERS], {
      folder: bare,
      env: SETTINGS,
    })
    const names = ['mongodb', 'pg', 'paseto', 'paseto', '@simplewebauthn/server']
    expect(JSON.parse(outcome.stdout)).to.deep.equal(
      names.map((name) => ['missing-package', `The package "${name}" is not installed: npm install ${name}`]),
    )
  })

  for (const node of someNodes(1)) {
    describe(`on Node ${node.version}`, () => {
      const inFolder = temporaryFolder()

      for (const path of ENTRIES) {
        const entry = posix.join('kennel-id', path)
        const packages = LOADS[path] ?? []
        it(`loads ${packages.join(', ') || 'no other package'} when ${entry} is imported, and opens nothing`, async () => {
          const files = readdirSync(folder)
          const outcome = await evaluate(node, IMPORTING, [entry], { NODE_V8_COVERAGE: inFolder() })
          expect(outcome.stderr).to.equal('')
          expect(outcome.code).to.equal(0)
          const { before: was, after: is } = JSON.parse(outcome.stdout) as { before: object; after: object }
          expect(is).to.deep.equal(was)
          expect(readdirSync(folder)).to.deep.equal(files)
          const scripts = ranScripts(inFolder())
          expect(scripts.filter((url) => url.includes('/node_modules/kennel-id/'))).to.not.be.empty
          expect(ASKED_FOR.filter((name) => isAmong(scripts, name)).sort()).to.deep.equal([...packages])
        })
      }

      it('works with errors and use cases from a different copy of the package', async () => {
        const outcome = await evaluate(node, TWO_COPIES, [], SETTINGS)
        expect(outcome.stderr).to.equal('')
        expect(JSON.parse(outcome.stdout)).to.deep.equal({
          isOurs: false,
          isRefusal: true,
          codes: ['unauthenticated', 'invalid-options'],
          status: 401,
        })
      })
    })
  }
})

function isAmong(scripts: readonly string[], name: string): boolean {
  return scripts.some((url) => url.split('/node_modules/')[1]?.startsWith(`${name}/`))
}
