import { readdirSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import type * as client from '../../src/client/index.js'
import { startByCommands, startServer, type Host } from './hosts.js'
import { installExample } from './packed.js'
import { type Node, NODES } from '../support/nodes.js'
import { run, SETTINGS } from './programs.js'
import { PROJECT } from '../support/project.js'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js'

const EMAIL = 'ada@example.com'
const PASSWORD = 'a long walk in the park'
/** The files of the store and of the login limit's counters. */
const DATA = ['app.db', 'app.db-attempts']

export type Example = {
  readonly name: string
  /** The program to run, if the example has several. */
  readonly variant?: string
  /** Whether the host passes on the client's address; true by default. */
  readonly isAddressKnown?: boolean
  /** Returns the runtime arguments that start the example in this folder. */
  readonly args: (folder: string) => readonly string[]
  /** The path of the service on the origin; the root by default. */
  readonly prefix?: string
  /** Installs a runtime other than Node; returns the path of its binary. */
  readonly runtime?: () => Promise<string>
  /** Whether the page of the example has commands that start a server; true by default. */
  readonly isStartedByPage?: boolean
  /** The exit code or the signal after SIGTERM; 0 by default. */
  readonly end?: number
  /** Files left next to `app.db`; none by default, because closing Kennel removes them. */
  readonly left?: readonly string[]
}

type Installed = { readonly folder: string; readonly binary: string }

/** Installs an example with the packed tarball, and runs it as its page describes, on each of these Node versions. */
export function describeExample(example: Example, nodes: readonly Node[]): void {
  const title = [example.name, example.variant].filter(Boolean).join(' ')
  describe(`the ${title} example from the packed tarball`, () => {
    let folder: string
    let runtime: string | undefined
    before(async () => {
      folder = await installExample(example.name)
      runtime = await example.runtime?.()
    })

    if (example.isStartedByPage !== false)
      it('starts and responds exactly as the pages show', async () => {
        await expectAsPageSays(example.prefix ?? '', folder, runtime === undefined ? [] : [dirname(runtime)])
      })
    for (const node of nodes) describeHost(example, node, () => ({ folder, binary: runtime ?? node.binary }))
  })
}

function describeHost(example: Example, node: Node, installed: () => Installed): void {
  const { prefix = '' } = example
  const loginPath = `${prefix}/api/auth/login`
  let host: Host
  let home: TemporaryFolder
  let kennel: typeof client

  const inPackage = (...names: string[]) => join(installed().folder, 'node_modules', 'kennel-id', ...names)
  const app = async (args: readonly string[], input = '') => {
    const options = { folder: home.path, env: SETTINGS, input }
    return await run(node, [inPackage('bin', 'app.js'), ...args], options)
  }
  /** Sends a forged header with a client address. */
  const post = (body: string, headers: Record<string, string> = {}) => {
    const type = { 'Content-Type': 'application/json', 'X-Forwarded-For': '203.0.113.9' }
    return host.call({ method: 'POST', path: loginPath, body, headers: { ...type, ...headers } })
  }
  const GOOD = JSON.stringify({ email: EMAIL, password: PASSWORD })

  /** A separate client with its own credentials, like another browser. */
  function newClient() {
    const cookieJar = kennel.createCookieJar()
    const baseUrl = host.origin + prefix
    const client = kennel.createKennelClient({ baseUrl, cookieJar })
    const hello = async () => await client.fetch(prefix ? '/../hello' : '/hello')
    return { client, cookieJar, hello }
  }

  describe(example.runtime ? 'on its newest version' : `on Node ${node.version}`, () => {
    before(async () => {
      home = makeTemporaryFolder()
      kennel = (await import(
        pathToFileURL(inPackage('dist', 'src', 'client', 'index.js')).href
      )) as typeof client
      const made = await app(['user', 'create', EMAIL, '--password-stdin'], PASSWORD)
      expect(made.code, made.stderr).to.equal(0)
      const { folder, binary } = installed()
      host = await startServer({ binary }, example.args(folder), { folder: home.path, env: SETTINGS })
    })
    after(async () => {
      // Undefined if the host failed to start.
      await (host as Host | undefined)?.end()
      home.remove()
    })

    it('serves the client: login, identity, refresh, a custom route, logout', async () => {
      const { client, cookieJar, hello } = newClient()
      const { user } = await client.login(EMAIL, PASSWORD)
      expect(user?.email).to.equal(EMAIL)
      expect((await client.getIdentity()).loggedIn).to.equal(true)
      const first = { ...client.tokens(), cookie: cookieJar.get() }
      await client.refresh()
      const second = { ...client.tokens(), cookie: cookieJar.get() }
      for (const member of ['accessToken', 'refreshToken', 'cookie'] as const)
        expect(second[member]).to.be.a('string').that.is.not.equal(first[member])
      const greeting = await hello()
      expect([greeting.status, await greeting.json()]).to.deep.equal([200, { hello: EMAIL }])
      await client.logout()
      expect((await hello()).status).to.equal(401)
    })

    it('accepts logins from its own origin, with a cookie that no script can read and no other site can send', async () => {
      for (const headers of [{}, { Origin: SETTINGS.PUBLIC_URL }]) {
        const { status, cookies } = await post(GOOD, headers)
        expect([status, cookies.length]).to.deep.equal([200, 1])
        const flags = cookies[0]?.toLowerCase().split('; ').slice(1).sort()
        expect(flags).to.deep.equal(['httponly', 'path=/', 'samesite=strict'])
      }
    })

    it('rejects logins that another site could send, and malformed, oversized and unknown requests', async () => {
      const origins = ['https://evil.example', 'http://127.0.0.1:3001', 'null'].map((Origin) => ({ Origin }))
      const types = ['text/plain', 'application/x-www-form-urlencoded'].map((type) => ({
        'Content-Type': type,
      }))
      const bodies = [
        '{"email":',
        { email: 1, password: PASSWORD },
        { email: EMAIL, password: 'x'.repeat(2e6) },
      ]
      const replies = [
        ...[...origins, ...types].map((headers) => post(GOOD, headers)),
        ...bodies.map((body) => post(typeof body === 'string' ? body : JSON.stringify(body))),
        host.call({ method: 'GET', path: loginPath.replace('login', 'nothing') }),
      ]
      const outcomes = (await Promise.all(replies)).map(({ status, cookies }) => [status, ...cookies])
      expect(outcomes).to.deep.equal([403, 403, 403, 415, 415, 400, 400, 413, 404].map((status) => [status]))
    })

    it('handles errors on its custom route like the service', async () => {
      const { client, cookieJar } = newClient()
      await client.login(EMAIL, PASSWORD)
      const both = {
        'X-Authorization': `Bearer ${client.tokens()?.accessToken ?? ''}`,
        Cookie: cookieJar.get(),
      }
      const hello = async (headers: Record<string, string>) => {
        const { status, text } = await host.call({ method: 'GET', path: '/hello', headers })
        return { status, body: JSON.parse(text) as { code?: number; message?: string; hello?: string } }
      }
      expect(await hello(both)).to.deep.equal({ status: 200, body: { hello: EMAIL } })
      const { Cookie, ...bearer } = both
      const twice = { ...bearer, Cookie: `${Cookie}; ${Cookie}` }
      for (const headers of [{ Cookie }, bearer, twice, {}]) {
        const { status, body } = await hello(headers)
        expect([status, body.code, typeof body.message]).to.deep.equal([401, 401, 'string'])
      }
    })

    it('stops on request and leaves only its data files', async () => {
      expect(await host.end()).to.equal(example.end ?? 0)
      expect(readdirSync(home.path)).to.deep.equal(['data'])
      const left = readdirSync(join(home.path, 'data'))
      expect(left.filter((file) => !DATA.includes(file)).sort()).to.deep.equal(example.left ?? [])
    })

    it('uses client addresses for the audit log and the attempt limit, and trusts no client headers', async () => {
      const { stdout } = await app(['audit', 'list', '--json'])
      const rows = JSON.parse(stdout) as { event: string; outcome: string; address: string | null }[]
      const addresses = rows.filter(({ event }) => event === 'login').map(({ address }) => address)
      expect(addresses.length).to.be.above(2)
      const known = example.isAddressKnown === false ? null : '127.0.0.1'
      expect(new Set(addresses)).to.deep.equal(new Set([known]))
    })
  })
}

const ANSWER = "{ id: 1, email: 'ada@example.com' } { hello: 'ada@example.com' }\n"

/** Runs the commands on the example's page, except the installation, with `folders` first in PATH. */
async function expectAsPageSays(prefix: string, folder: string, folders: readonly string[]): Promise<void> {
  const [commands = ''] = commandsOf(join(folder, 'README.md'))
  const ask = commandsOf(join(PROJECT, 'examples', 'README.md')).find((one) =>
    one.includes('createKennelClient'),
  )
  const env = { PATH: [...folders, process.env['PATH']].join(delimiter) }
  const server = await startByCommands(commands.replace(/^npm install\n/, ''), { folder, env })
  try {
    const program = (ask ?? '').replace('http://127.0.0.1:3000', server.origin + prefix)
    const script = /"([^]*)"/.exec(prefix ? program.replace("'/hello'", "'/../hello'") : program)?.[1] ?? ''
    const asked = await run(NODES[0] as Node, ['--input-type=module', '-e', script], { folder })
    expect(asked).to.deep.equal({ code: 0, stdout: ANSWER, stderr: '' })
  } finally {
    await server.end()
  }
}

function commandsOf(page: string): string[] {
  const blocks = readFileSync(page, 'utf8').matchAll(/(?:^ {4}.*\n)+/gm)
  return Array.from(blocks, ([block]) => block.replaceAll(/^ {4}/gm, ''))
}
