import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { hashSync } from 'bcryptjs'
import { expect } from 'chai'
import { PROGRAM } from './bundled.js'
import { startServer, type Host } from './hosts.js'
import { install } from './packed.js'
import { type Node, NODES } from '../support/nodes.js'
import { run, SETTINGS, someNodes } from './programs.js'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js'

const EMAIL = 'ada@example.com'
const PASSWORD = 'a long walk in the park'
const BUNDLERS = { esbuild: '^0.28.2', next: '^16.4.6', react: '^19.0.0', 'react-dom': '^19.0.0' }

/** The installation lacks the packages for the service, the command line and Node 20. */
const ALONE = 'of the library alone'

const BY_ESBUILD: Readonly<Record<string, readonly [string, string, readonly string[]]>> = {
  'by esbuild': ['server.js', 'server.cjs', []],
  'by esbuild, minified': ['server.js', 'server.min.cjs', ['--minify']],
  'by esbuild, as an ES module': ['server.js', 'server.mjs', ['--format=esm']],
  'by esbuild, on Koa': ['koa-server.js', 'koa-server.cjs', []],
  [`by esbuild, ${ALONE}`]: ['server.js', 'alone.cjs', []],
}

describe('a program bundled with Kennel, without special bundler options, MongoDB or PASETO', () => {
  let folder: string
  let alone: string
  before(async () => {
    const kennel = { 'kennel-id': '*' }
    alone = write(await install(kennel, '--omit=optional'))
    folder = write(await install({ ...kennel, ...BUNDLERS }))
    const installed = readdirSync(join(folder, 'node_modules'))
    expect(installed).to.include('kennel-id').and.include('koa')
    expect(installed.filter((name) => ['mongodb', 'paseto'].includes(name))).to.deep.equal([])
    expect(readdirSync(join(alone, 'node_modules')))
      .to.include('kennel-id')
      .and.not.include('koa')
  })

  async function command(path: string, args: readonly string[], where = folder): Promise<string> {
    const program = join(folder, 'node_modules', path)
    const env = { NEXT_TELEMETRY_DISABLED: '1', HOME: folder }
    const { code, stdout, stderr } = await run(builder(), [program, ...args], { folder: where, env })
    expect(code, stdout + stderr).to.equal(0)
    return stdout + stderr
  }

  for (const [place, [name, [program, bundle, options]]] of Object.entries(BY_ESBUILD).entries()) {
    const nodes = someNodes(place)
    describe(name, () => {
      const where = () => (name.endsWith(ALONE) ? alone : folder)
      before(async () => {
        const args = [program, '--bundle', '--platform=node', `--outfile=${bundle}`, ...options]
        expect(await command('esbuild/bin/esbuild', args, where())).to.not.match(/\[(?:WARNING|ERROR)\]/)
      })

      // The bundle is alone in its folder, so that it finds nothing outside itself.
      serves(nodes, hasSqlite, async (node, home) => {
        copyFileSync(join(where(), bundle), join(home, bundle))
        return await startServer(node, [join(home, bundle)], { folder: home, env: environment(home) })
      })

      if (!name.endsWith(ALONE))
        for (const node of nodes)
          it(`finds a SQLite driver next to the bundle on Node ${node.version}`, async () => {
            const home = makeTemporaryFolder()
            const env = environment(home.path)
            const host = await startServer(node, [join(folder, bundle)], { folder: home.path, env })
            const { text } = await host.call({ method: 'GET', path: '/control/drivers' })
            expect(JSON.parse(text)).to.include({ sqlite: 'opened' })
            expect(await host.end()).to.equal(0)
            home.remove()
          })
    })
  }

  for (const [place, name] of ['Turbopack', 'webpack'].entries()) {
    describe(`built by Next.js with ${name}`, () => {
      const next = 'next/dist/bin/next'
      before(async () => {
        const said = await command(next, ['build', ...(name === 'webpack' ? ['--webpack'] : [])])
        // With webpack, Next.js warns about missing optional packages that a module imports only in part.
        if (name === 'Turbopack') expect(said).to.not.match(/can't resolve/i)
      })

      serves(
        someNodes(place),
        () => true,
        async (node, home) =>
          await startServer(node, [join(folder, 'node_modules', next), ...NEXT_START], {
            folder,
            env: { ...environment(home), NEXT_TELEMETRY_DISABLED: '1' },
          }),
      )
    })
  }

  it('contains no Node.js code if it is a client for browsers', async () => {
    const made = { client: 'createKennelClient', account: 'createAccount', admin: 'createAdminClient' }
    const lines = Object.entries(made).map(([entry, name]) => `export { ${name} } from 'kennel-id/${entry}'`)
    writeFileSync(join(folder, 'client.js'), lines.join('\n'))
    await command('esbuild/bin/esbuild', ['client.js', '--bundle', '--format=esm', '--outfile=client.mjs'])
    const text = readFileSync(join(folder, 'client.mjs'), 'utf8')
    for (const name of Object.values(made)) expect(text).to.include(name)
    expect(text).to.not.match(/\brequire\(|\bimport\b|node:|\bprocess\.|\bBuffer\b/)
  })
})

const JSON_TYPE = { 'Content-Type': 'application/json' }
const NEXT_START = ['start', '--hostname', '127.0.0.1', '--port', '0']

/** Returns the oldest Node version, because newer versions can build every bundle that the oldest version can build. */
function builder(): Node {
  const [node] = NODES
  if (!node) throw new Error('there is no Node')
  return node
}

/** Node 20 has no built-in SQLite, and a bundle alone in a folder finds no package. */
function hasSqlite({ version }: Node): boolean {
  return !version.startsWith('v20.')
}

function write(folder: string): string {
  for (const [path, text] of Object.entries(PROGRAM)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

function environment(home: string): Record<string, string> {
  const files = { STORE: `sqlite:${join(home, 'kennel.db')}`, MAIL_URL: `file:${join(home, 'outbox')}` }
  return { ...SETTINGS, ...files, HOME: home, PASSWORD_HASH: hashSync(PASSWORD, 4) }
}

/** Tests a bundle on each of these Node versions; `start` receives a new folder for the data. */
function serves(
  nodes: readonly Node[],
  opensSqlite: (node: Node) => boolean,
  start: (node: Node, home: string) => Promise<Host>,
): void {
  for (const node of nodes) {
    describe(`on Node ${node.version}`, () => {
      let home: TemporaryFolder
      let host: Host
      before(async () => {
        home = makeTemporaryFolder()
        host = await start(node, home.path)
      })
      after(async () => {
        expect(await host.end()).to.be.oneOf([0, 143, 'SIGTERM'])
        home.remove()
      })

      const get = async (path: string) => await host.call({ method: 'GET', path })
      const post = async (path: string, body: object) =>
        await host.call({ method: 'POST', path, headers: JSON_TYPE, body: JSON.stringify(body) })

      it('logs in an account, even one with a bcrypt hash, and identifies the caller', async () => {
        const issued = await post('/api/auth/login', { email: EMAIL, password: PASSWORD })
        expect(issued.status, issued.text).to.equal(200)
        const { view } = JSON.parse(issued.text) as { view: { jwt: string } }
        const cookie = issued.cookies[0]?.split(';', 1)[0] ?? ''
        const headers = { Cookie: cookie, 'X-Authorization': `Bearer ${view.jwt}` }
        const identity = await host.call({ method: 'GET', path: '/api/auth/get-identity', headers })
        expect([identity.status, identity.text.includes(EMAIL)]).to.deep.equal([200, true])
        expect((await get('/api/auth/get-identity')).status).to.equal(401)
      })

      it('serves the page at /docs with its files, and the API description', async () => {
        const page = await get('/docs')
        const addresses = [...page.text.matchAll(/(?:src|href)="(docs\/[^"]+)"/g)].map(([, one = '']) => one)
        expect(addresses).to.have.lengthOf(5)
        for (const address of addresses) {
          const { status, text } = await get(`/${address}`)
          expect(status, address).to.equal(200)
          const [, hash, ending] = address.split('.')
          // If the files were read as text, the icon would differ and the style sheet would lack its byte order mark.
          if (ending !== 'js') continue
          expect(createHash('sha256').update(text).digest('hex').slice(0, 16), address).to.equal(hash)
        }
        expect((await get('/openapi.json')).status).to.equal(200)
      })

      it('sends the password reset email from the bundled template', async () => {
        expect((await post('/api/auth/reset-password', { email: EMAIL })).status).to.equal(200)
        expect(JSON.parse((await get('/control/mails')).text)).to.deep.equal({ sent: 1 })
        const outbox = join(home.path, 'outbox')
        const [mail = ''] = readdirSync(outbox).map((file) => readFileSync(join(outbox, file), 'latin1'))
        expect(mail)
          .to.include('Subject: Reset your password')
          .and.include('Open this link to choose a new password:')
        expect(mail).to.include('text/html')
        expect(mail.replaceAll('=\r\n', '')).to.include(`${SETTINGS.PUBLIC_URL}/reset-password`)
      })

      it('reports the missing optional packages, and opens SQLite', async () => {
        expect(JSON.parse((await get('/control/drivers')).text)).to.deep.equal({
          mongodb: 'missing-package',
          paseto: 'missing-package',
          sqlite: opensSqlite(node) ? 'opened' : 'missing-package',
        })
      })
    })
  }
}
