// Writes src/client/api.ts, the types of the client, from the service's own API description. Loads the compiled service
// from the given folder (`dist` by default); `--check` writes nothing and fails if the file is outdated.
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { pathToFileURL } from 'node:url'
import openapiTS, { astToString } from 'openapi-typescript'
import { format, resolveConfig } from 'prettier'

const HEADING = '/** Made by scripts/generate-client-types.js from the API description: do not edit. */\n\n'
/** Sections that are empty in a description without webhooks and further definitions. */
const EMPTY = new Set(['webhooks', '$defs'])

const project = join(import.meta.dirname, '..')
const file = join(project, 'src', 'client', 'api.ts')
const { values, positionals } = parseArgs({
  options: { check: { type: 'boolean', default: false } },
  allowPositionals: true,
})

async function description() {
  const folder = resolve(positionals[0] ?? join(project, 'dist'))
  const from = (path) => import(pathToFileURL(join(folder, path)).href)
  const { apiDescription } = await from('src/http/description/document.js')
  const { ENDPOINTS } = await from('src/http/endpoints.js')
  // No setting changes a body; permissions depend on the configuration.
  const { httpSettings } = await from('test/support/http/settings.js')
  const document = apiDescription(httpSettings({ grantedTo: {} }), ENDPOINTS)
  return successesOnly(JSON.parse(JSON.stringify(document)))
}

/**
 * Failures of a prefix share one body, which is a component; together with the examples and the headers, which the
 * client reads by name, they would be nine tenths of the text.
 */
function successesOnly(document) {
  for (const item of Object.values(document.paths)) {
    for (const operation of Object.values(item)) {
      const replies = Object.entries(operation.responses).filter(([status]) => Number(status) < 300)
      for (const [, reply] of replies) delete reply.headers
      const bodies = [operation.requestBody, ...replies.map(([, reply]) => reply)]
      for (const media of bodies.flatMap((body) => Object.values(body?.content ?? {}))) delete media.example
      operation.responses = Object.fromEntries(replies)
    }
  }
  delete document.components.headers
  return document
}

/** Lines about absent parts, which every route has. */
const SILENT = [
  /^\s+\w+\??: never;?\n/gm,
  /^\s+parameters: \{\s*\};?\n/gm,
  /^\s+headers: \{\s*\[name: string\]: unknown;?\s*\};?\n/gm,
]

const nodes = await openapiTS(await description(), { alphabetize: true })
const whole = astToString(nodes.filter((node) => !EMPTY.has(node.name?.text)))
const text = SILENT.reduce((rest, pattern) => rest.replace(pattern, ''), whole)
const made = await format(HEADING + text, { ...(await resolveConfig(file)), filepath: file })

if (!values.check) writeFileSync(file, made)
else if (made !== readFileSync(file, 'utf8')) {
  console.error('src/client/api.ts is not current: npm run build, then node scripts/generate-client-types.js')
  process.exitCode = 1
}
