/**
 * The program to bundle, with everything that bundlers could lose: it imports Kennel, and reads its settings from the
 * environment.
 */
const KENNEL = `
import { DEFAULT_PERMISSIONS, isRefusal, openKennel, OPERATOR } from 'kennel-id'
import { createHandler } from 'kennel-id/web'

const { SECURITY_JWT_PASSPHRASE: passphrase, PUBLIC_URL: publicUrl, MAIL_URL: mailUrl, PASSWORD_HASH } = process.env
const { roles } = DEFAULT_PERMISSIONS
const auth = [...roles.everyone.components.auth, 'reset-password']
const permissions = { roles: { ...roles, everyone: { components: { ...roles.everyone.components, auth } } } }
const options = { passphrase, publicUrl, permissions, mailUrl, production: false, background: false }

export async function open() {
  const kennel = await openKennel({ ...options, store: 'memory:' })
  await kennel.createUser({ caller: OPERATOR, email: 'ada@example.com', passwordHash: PASSWORD_HASH })
  return { kennel, serve: createHandler(kennel) }
}

const codeOf = (choice) =>
  openKennel({ ...options, store: 'memory:', ...choice })
    .then(async (kennel) => await kennel.close())
    .then(() => 'opened', (error) => (isRefusal(error) ? error.code : String(error)))

export async function control(path, kennel) {
  if (path === '/control/mails') return { sent: await kennel.sendMails() }
  if (path !== '/control/drivers') return undefined
  return {
    mongodb: await codeOf({ store: 'mongodb://127.0.0.1:1/kennel' }),
    paseto: await codeOf({ tokenFormat: 'paseto' }),
    sqlite: await codeOf({ store: process.env.STORE }),
  }
}
`

/** For Next.js: the whole service under one route. Next also imports a route during its build, so the import opens nothing. */
const ROUTE = `
import { control, open } from '../../kennel.js'

let opening
async function answer(request) {
  const { kennel, serve } = await (opening ??= open())
  const told = await control(new URL(request.url).pathname, kennel)
  return told ? Response.json(told) : await serve(request)
}
export const [GET, HEAD, POST, PATCH, DELETE, OPTIONS] = Array(6).fill(answer)
`

/** The same program for esbuild, on Node's own server. `answer` handles all requests except control requests. */
const serverOf = (imports: string, opened: string, answer: string) => `
import { createServer } from 'node:http'
import { control, open } from './kennel.js'
${imports}

open().then(({ kennel, serve }) => {
  ${opened}
  const server = createServer(async (incoming, outgoing) => {
    const told = await control(incoming.url, kennel)
    if (told) return outgoing.end(JSON.stringify(told))
    ${answer}
  })
  server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port))
  process.once('SIGTERM', () => server.close(async () => await kennel.close()))
})
`

const SERVER = serverOf(
  "import { Readable } from 'node:stream'",
  '',
  `const { method, url, headers } = incoming
    const body = method === 'POST' ? Readable.toWeb(incoming) : null
    const request = new Request('http://' + headers.host + url, { method, headers, body, duplex: 'half' })
    const response = await serve(request)
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    outgoing.end(Buffer.from(await response.arrayBuffer()))`,
)

const KOA_SERVER = serverOf(
  "import { createHttpService } from 'kennel-id/koa'",
  `const log = { debug() {}, info() {}, warn() {}, error: console.error, enabled: () => false }
  const settings = kennel.httpSettings
  const onKoa = createHttpService({ useCases: kennel, settings, readiness: kennel.ready, log }).callback()`,
  'onKoa(incoming, outgoing)',
)

export const PROGRAM: Readonly<Record<string, string>> = {
  'kennel.js': KENNEL,
  'server.js': SERVER,
  'koa-server.js': KOA_SERVER,
  'app/[...path]/route.js': ROUTE,
}
