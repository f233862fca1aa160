// Serves the page with the service's address, and the modules of `kennel-id/client`. Nothing is bundled.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname } from 'node:path'

/** @type {Record<string, string>} */
const TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
}

const api = new URL(process.env.KENNEL_URL ?? 'http://127.0.0.1:3000').origin
const page = new URL('./page/', import.meta.url)
const client = new URL('.', import.meta.resolve('kennel-id/client'))
const index = readFileSync(new URL('index.html', page), 'utf8').replace('%KENNEL_URL%', api)

// The server reads all files at startup, so a request cannot read any other file.
/** @type {Map<string, { type: string | undefined, body: Buffer }>} */
const files = new Map([
  ['/', { type: TYPES['.html'], body: Buffer.from(index) }],
  ...filesOf('/', page, ['.js', '.css']),
  ...filesOf('/kennel-client/', client, ['.js']),
])

// The browser accepts an import map only inside the page; its hash in the policy permits only this script.
const [, importMap = ''] = /<script type="importmap">([^]*?)<\/script>/.exec(index) ?? []
const policy = [
  "default-src 'none'",
  `script-src 'self' 'sha256-${createHash('sha256').update(importMap).digest('base64')}'`,
  "style-src 'self'",
  'img-src data:',
  `connect-src ${api}`,
  "base-uri 'none'",
  // The browser itself must not submit forms, because the password would then appear in the URL.
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
]
const headers = {
  'Content-Security-Policy': policy.join('; '),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
}

/**
 * @param {string} path
 * @param {URL} folder
 * @param {string[]} extensions
 * @returns {[path: string, file: { type: string | undefined, body: Buffer }][]}
 */
function filesOf(path, folder, extensions) {
  return readdirSync(folder)
    .filter((name) => extensions.includes(extname(name)))
    .map((name) => [path + name, { type: TYPES[extname(name)], body: readFileSync(new URL(name, folder)) }])
}

const server = createServer((request, response) => {
  const file = files.get(request.url?.split('?', 1)[0] ?? '')
  if (!file) return response.writeHead(404, headers).end()
  if (!['GET', 'HEAD'].includes(request.method ?? ''))
    return response.writeHead(405, { ...headers, Allow: 'GET, HEAD' }).end()
  response.writeHead(200, { ...headers, 'Content-Type': file.type, 'Content-Length': file.body.length })
  // Node itself omits the body of a reply to HEAD.
  return response.end(file.body)
})
server.listen(Number(process.env.PORT ?? 8080), '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  console.log(`http://127.0.0.1:${port}`)
})
process.once('SIGTERM', () => server.close())
