// Writes the modules of dist that hold what is no code of ours, each declared by a `.d.ts` of src at the same path. As
// modules they are found wherever the program is, in a bundle too, and licences go with what they are about. A module
// is replaced in one step, and only where it differs: tests may be reading it.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, parse } from 'node:path'
import { fileURLToPath } from 'node:url'
import { constants, gzipSync } from 'node:zlib'

const project = join(import.meta.dirname, '..')
const read = (...path) => readFileSync(join(...path), 'utf8')

const swagger = folderOf(import.meta.resolve('swagger-ui-dist/package.json'))
const bcryptjs = folderOf(import.meta.resolve('bcryptjs'))
const templates = join(project, 'templates', 'mail')
const page = join(project, 'src', 'http', 'api-page')

write('adapters/mustache/own-templates.js', {
  OWN_TEMPLATES: Object.fromEntries(
    readdirSync(templates)
      .sort()
      .map((name) => [name, read(templates, name)]),
  ),
})

write('adapters/scrypt/bcryptjs.js', { BCRYPTJS: read(bcryptjs, 'umd', 'index.js') }, [
  `bcryptjs\n\n${read(bcryptjs, 'LICENSE')}`,
])

const pageFiles = [
  ...['page.js', 'page.css'].map((name) => join(page, name)),
  ...['swagger-ui-bundle.js', 'swagger-ui.css', 'favicon-32x32.png'].map((name) => join(swagger, name)),
]
write('http/api-page/packed-files.js', { PACKED_FILES: Object.fromEntries(pageFiles.map(packed)) }, [
  ...['NOTICE', 'LICENSE'].map((name) => `Swagger UI: ${name}\n\n${read(swagger, name)}`),
  ...commentsOf(read(swagger, 'swagger-ui-bundle.js.LICENSE.txt')),
])

function folderOf(url) {
  return dirname(fileURLToPath(url))
}

function packed(file) {
  const { name, ext, base } = parse(file)
  const plain = readFileSync(file)
  const hash = createHash('sha256').update(plain).digest('hex').slice(0, 16)
  const gzip = gzipSync(plain, { level: constants.Z_BEST_COMPRESSION }).toString('base64')
  return [base, { address: `${name}.${hash}${ext}`, gzip }]
}

/** The texts of comments that are kept in a file of their own. */
function commentsOf(text) {
  return [...text.matchAll(/\/\*!?([^]*?)\*\//g)].map(([, comment]) => comment.trim())
}

/** Bundlers keep comments that begin with an exclamation mark. */
function write(path, constants, licences = []) {
  const declaration = path.replace(/\.js$/, '.d.ts')
  replace(declaration, read(project, 'src', declaration))
  const comments = licences.map((text) => `/*!\n${text.trimEnd()}\n*/\n`)
  const exports = Object.entries(constants).map(
    ([name, value]) => `export const ${name} = ${JSON.stringify(value, undefined, 2)}\n`,
  )
  replace(path, [...comments, ...exports].join('\n'))
}

function replace(path, text) {
  const file = join(project, 'dist', 'src', path)
  if (text === written(file)) return
  mkdirSync(dirname(file), { recursive: true })
  const unfinished = `${file}.${process.pid}`
  writeFileSync(unfinished, text)
  renameSync(unfinished, file)
}

function written(file) {
  try {
    return read(file)
  } catch {
    return undefined
  }
}
