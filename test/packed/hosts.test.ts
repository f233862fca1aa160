import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { startFunction, startServer, type Host, type Reply } from './hosts.js'
import { pack, type Packed } from './packed.js'
import { NODES, run, type Node } from './programs.js'
import { SETTINGS } from './settings.js'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js'

const EMAIL = 'ada@example.com'
const PASSWORD = 'a long walk in the park'
const JSON_TYPE = 'application/json'

type Credentials = { readonly cookie: string; readonly accessToken: string; readonly refreshToken: string }

/** What is particular to the host. */
type Example = {
  readonly name: string
  readonly program: string
  readonly start: typeof startServer
  readonly paths: Readonly<Record<'login' | 'identity' | 'refresh' | 'logout', string>>
  readonly read: (body: string) => { email: string; accessToken: string; refreshToken: string }
  readonly tokenHeader: string
  /** Status of a login that comes as a form or as text. */
  readonly otherType: number
  /** Status of a body of 20 kB. */
  readonly large: number
}

const PLAIN = {
  program: 'server.js',
  start: startServer,
  paths: { login: '/login', identity: '/identity', refresh: '/refresh', logout: '/logout' },
  read: (body: string) => JSON.parse(body) as ReturnType<Example['read']>,
  tokenHeader: 'Authorization',
  otherType: 415,
  large: 413,
}

const EXAMPLES: readonly Example[] = [
  // Its parser leaves out what is of another type; then there is no email.
  { ...PLAIN, name: 'express', otherType: 401 },
  { ...PLAIN, name: 'fastify' },
  { ...PLAIN, name: 'hono' },
  { ...PLAIN, name: 'node-http' },
  // How large an event may be is the gateway's affair.
  { ...PLAIN, name: 'lambda', program: 'handler.js', start: startFunction, large: 401 },
  {
    ...PLAIN,
    name: 'koa-mount',
    // The whole service has the header that it has everywhere.
    tokenHeader: 'X-Authorization',
    paths: {
      login: '/kennel/api/auth/login',
      identity: '/kennel/api/auth/get-identity',
      refresh: '/kennel/api/auth/refresh',
      logout: '/kennel/api/auth/logout',
    },
    read: (body) => {
      const { view } = JSON.parse(body) as {
        view: { user: { email: string }; jwt: string; refreshToken: string }
      }
      return { email: view.user.email, accessToken: view.jwt, refreshToken: view.refreshToken }
    },
  },
]

describe('from the packed tarball,', () => {
  let packed: Packed
  before(async () => {
    packed = await pack()
  })
  after(() => packed.remove())

  for (const example of EXAMPLES) {
    describe(`the example ${example.name}`, () => {
      let folder: string
      before(async () => {
        folder = await packed.installExample(example.name)
      })
      for (const node of NODES) describeHost(example, node, () => folder)
    })
  }
})

function describeHost(example: Example, node: Node, folder: () => string): void {
  const { paths, read } = example
  let host: Host
  let work: string

  const call: Host['call'] = (one) => host.call({ tokenHeader: example.tokenHeader, ...one })
  const post = (path: string, json: object, credentials?: Partial<Credentials>) =>
    call({ method: 'POST', path, type: JSON_TYPE, body: JSON.stringify(json), ...credentials })
  const logIn = (password = PASSWORD) => post(paths.login, { email: EMAIL, password })
  const identity = (credentials?: Partial<Credentials>) =>
    call({ method: 'GET', path: paths.identity, ...credentials })
  const held = ({ cookies, text }: Reply): Credentials => {
    const { accessToken, refreshToken } = read(text)
    return { cookie: cookies[0]?.split(';', 1)[0] ?? '', accessToken, refreshToken }
  }

  describe(`on Node ${node.version}`, () => {
    let home: TemporaryFolder
    before(async () => {
      home = makeTemporaryFolder()
      work = home.path
      const app = join(folder(), 'node_modules', 'kennel-id', 'bin', 'app.js')
      const options = { folder: work, env: SETTINGS, input: PASSWORD }
      const made = await run(node, [app, 'user', 'create', EMAIL, '--password-stdin'], options)
      expect(made.code, made.stderr).to.equal(0)
      const program = join(folder(), example.program)
      host = await example.start(node, program, { folder: work, env: SETTINGS })
    })
    after(async () => {
      await host.end()
      home.remove()
    })

    it('refuses a wrong password', async () => {
      const reply = await logIn('a long walk in the rain')
      expect([reply.status, reply.cookies]).to.deep.equal([401, []])
      expect(reply.text).to.contain('Login Failed')
    })

    it('logs in with a cookie and a token that hold only together', async () => {
      const reply = await logIn()
      expect(reply.status, reply.text).to.equal(200)
      expect(reply.cookies).to.have.lengthOf(1)
      expect(reply.cookies[0]?.toLowerCase().split('; ').slice(1).sort()).to.deep.equal([
        'httponly',
        'path=/',
        'samesite=strict',
      ])
      const { cookie, accessToken } = held(reply)
      const known = await identity({ cookie, accessToken })
      expect([known.status, read(known.text).email]).to.deep.equal([200, EMAIL])
      for (const half of [{ cookie }, { accessToken }, {}])
        expect((await identity(half)).status).to.equal(401)
    })

    it('renews the pair, and ends the login', async () => {
      const { refreshToken, ...first } = held(await logIn())
      const renewed = await post(paths.refresh, { refreshToken }, first)
      expect(renewed.status, renewed.text).to.equal(200)
      const second = held(renewed)
      expect(second.cookie).to.not.equal(first.cookie)
      expect((await identity(second)).status).to.equal(200)
      const { cookie, accessToken } = second
      const over = await call({ method: 'POST', path: paths.logout, cookie, accessToken })
      expect(over.status, over.text).to.equal(200)
      expect(over.cookies[0]).to.match(/^sid=;/)
      expect((await identity(second)).status).to.equal(401)
    })

    it('takes no login that a form of another site could send', async () => {
      const body = JSON.stringify({ email: EMAIL, password: PASSWORD })
      for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
        const reply = await call({ method: 'POST', path: paths.login, type, body })
        expect([reply.status, reply.cookies]).to.deep.equal([example.otherType, []])
      }
    })

    it('lets a page of its own origin log in, and no other', async () => {
      const body = JSON.stringify({ email: EMAIL, password: PASSWORD })
      const from = (origin: string) =>
        call({ method: 'POST', path: paths.login, type: JSON_TYPE, body, origin })
      expect((await from(SETTINGS.PUBLIC_URL)).status).to.equal(200)
      for (const origin of ['https://evil.example', 'http://127.0.0.1:3001', 'null']) {
        const reply = await from(origin)
        expect([reply.status, reply.cookies]).to.deep.equal([403, []])
      }
    })

    it('answers what it cannot read, and what it does not have', async () => {
      expect((await post(paths.login, { email: 1, password: PASSWORD })).status).to.equal(400)
      const path = paths.login
      const broken = await call({ method: 'POST', path, type: JSON_TYPE, body: '{"email":' })
      expect(broken.status).to.equal(400)
      expect((await logIn('x'.repeat(20_000))).status).to.equal(example.large)
      const missing = await call({ method: 'GET', path: paths.login.replace('login', 'nothing') })
      expect(missing.status).to.equal(404)
    })

    if (example.name === 'koa-mount') {
      it('keeps the pages of the application that was there before', async () => {
        const { cookie, accessToken } = held(await logIn())
        const reply = await call({ method: 'GET', path: '/', cookie, accessToken })
        expect([reply.status, reply.text]).to.deep.equal([200, `Hello ${EMAIL}\n`])
        expect((await call({ method: 'GET', path: '/' })).status).to.equal(401)
      })

      it('knows where it is', async () => {
        const { text } = await call({ method: 'GET', path: '/kennel/openapi.json' })
        const { servers } = JSON.parse(text) as { servers: unknown }
        expect(servers).to.deep.equal([{ url: `${SETTINGS.PUBLIC_URL}/kennel` }])
      })
    }

    it('ends by itself when it is told to, and leaves nothing but its data', async () => {
      expect(await host.end()).to.equal(0)
      expect(readdirSync(work)).to.deep.equal(['data'])
      const left = readdirSync(join(work, 'data'))
      expect(left.filter((file) => file !== 'app.db')).to.deep.equal([])
    })
  })
}
