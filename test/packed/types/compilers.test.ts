import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { rotating } from '../../support/rotation.js'
import { install } from '../packed.js'
import { NODES, type Node } from '../../support/nodes.js'
import { run } from '../programs.js'
import { CONSUMER } from './consumer.js'

/** The oldest supported version, the last version written in JavaScript (which we use), and the newest version. */
const VERSIONS = ['5.4', '5.9', 'latest']
const MODES = { nodenext: 'nodenext', node16: 'node16', bundler: 'esnext' }
type Mode = keyof typeof MODES
const STRICT = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--skipLibCheck', 'false']
const [NODE] = NODES as readonly [Node]

const compiler = (version: string) => `typescript-${version}`

async function complaints(folder: string, version: string, mode: Mode): Promise<string> {
  const compilers = Object.fromEntries(VERSIONS.map((one) => [compiler(one), `npm:typescript@${one}`]))
  const tsc = join(await install(compilers), 'node_modules', compiler(version), 'bin', 'tsc')
  const modules = ['--module', MODES[mode], '--moduleResolution', mode, '--target', 'es2022']
  const args = [tsc, ...STRICT, ...modules, '--types', 'node', 'program.mts']
  const { code, stdout, stderr } = await run(NODE, args, { folder })
  return code === 0 ? '' : `${stdout}${stderr}`
}

/** An Express application that mounts our HTTP interface next to its own routes. */
const IN_EXPRESS = `
  import express, { type Request, type Response } from 'express'
  import { openKennel } from 'kennel-id'
  import { createHttpService } from 'kennel-id/koa'
  import { createListener } from 'kennel-id/node'
  import { createHandler } from 'kennel-id/web'
  const kennel = await openKennel({ store: 'memory:', passphrase: process.env.PASSPHRASE, publicUrl: process.env.PUBLIC_URL })
  const log = { debug() {}, info() {}, warn() {}, error() {}, enabled: () => false }
  const parts = { useCases: kennel, settings: kennel.httpSettings, readiness: () => kennel.ready(), log }
  const app = express()
  app.use('/api/auth', createListener(createHandler(kennel)))
  app.use(express.json())
  app.get('/', (request: Request, response: Response) => void response.json({ address: request.ip }))
  app.use(createHttpService(parts).callback())
  export const handler: (request: globalThis.Request) => Promise<globalThis.Response> = createHandler(kennel)
`

/** A plain Node server and a Hono application, both with guarded routes. */
const IN_HONO = `
  import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
  import { Hono, type Context, type Next } from 'hono'
  import { openKennel, replyOf, type Identity } from 'kennel-id'
  import { createListener } from 'kennel-id/node'
  import { createHandler } from 'kennel-id/web'
  const kennel = await openKennel({ passphrase: process.env.PASSPHRASE, publicUrl: process.env.PUBLIC_URL })
  const handler = createHandler(kennel)
  const listener = createListener(handler)
  const app = new Hono<{ Variables: { identity: Identity } }>()
  app.all('/api/auth/*', (c) => handler(c.req.raw))
  async function loggedIn(c: Context, next: Next): Promise<Response | void> {
    try {
      c.set('identity', await kennel.identify(c.req.raw))
    } catch (error) {
      const { status, headers, body } = replyOf(error)
      return Response.json(body, { status, headers })
    }
    return await next()
  }
  app.get('/hello', loggedIn, (c) => c.json({ hello: c.get('identity').email }))
  createServer(listener)
  createServer((request: IncomingMessage, response: ServerResponse) => listener(request, response)).close()
`

const IN_KOA = `
  import Koa from 'koa'
  import mount from 'koa-mount'
  import type { HttpService } from 'kennel-id/koa'
  declare const service: HttpService
  export const app = new Koa().use(mount('/kennel', service)).use(service)
`

type Program = {
  readonly name: string
  readonly text: string
  /** The packages that the program imports in addition to Kennel. */
  readonly packages: Readonly<Record<string, string>>
}

const HOSTS: readonly Program[] = [
  {
    name: 'the HTTP service next to Express routes',
    text: IN_EXPRESS,
    packages: { express: '^5', '@types/express': '^5', '@types/node': '^22' },
  },
  { name: 'handlers next to Hono routes', text: IN_HONO, packages: { hono: '^4', '@types/node': '^22' } },
  {
    name: 'the HTTP service, beside those of Koa and koa-mount',
    text: IN_KOA,
    packages: { '@types/koa': '^3', 'koa-mount': '^4', '@types/koa-mount': '^4', '@types/node': '^22' },
  },
]

/** CI uses a different mode in each run. */
function compiles(
  { name, text, packages }: Program,
  versions: readonly string[],
  modes: readonly Mode[],
): void {
  describe(`the declarations of the package, fully checked, with ${name}`, () => {
    let folder: string
    before(async () => {
      folder = await install({ 'kennel-id': '*', ...packages })
      writeFileSync(join(folder, 'program.mts'), text)
    })

    for (const version of versions) {
      for (const mode of rotating(modes, 1))
        it(`compile with TypeScript ${version} as ${mode}`, async () => {
          expect(await complaints(folder, version, mode)).to.equal('')
        })
    }
  })
}

const EVERY_ENTRY = { name: 'every entry', text: CONSUMER, packages: { '@types/node': '^20' } }
compiles(EVERY_ENTRY, VERSIONS, Object.keys(MODES) as Mode[])
for (const host of HOSTS) compiles(host, rotating(VERSIONS.slice(1), 1), ['nodenext'])
