// Puts the files of the page at /docs together in `api-page`: Swagger UI, which is no dependency of the published
// package, with its licences, and what is ours. A file is replaced in one step, and only where it differs:
// tests may be reading it.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const project = join(import.meta.dirname, '..')
const ours = join(project, 'src', 'http', 'api-page')
const theirs = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')))
const target = join(project, 'api-page')

const sources = [
  ...['page.js', 'page.css'].map((name) => join(ours, name)),
  ...['swagger-ui-bundle.js', 'swagger-ui.css', 'favicon-32x32.png'].map((name) => join(theirs, name)),
  ...['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt'].map((name) => join(theirs, name)),
]

function isThere(source, copy) {
  return existsSync(copy) && readFileSync(source).equals(readFileSync(copy))
}

function bring(source) {
  const copy = join(target, basename(source))
  if (isThere(source, copy)) return
  const unfinished = `${copy}.${process.pid}`
  copyFileSync(source, unfinished)
  renameSync(unfinished, copy)
}

mkdirSync(target, { recursive: true })
for (const source of sources) bring(source)
const wanted = new Set(sources.map((source) => basename(source)))
for (const name of readdirSync(target)) if (!wanted.has(name)) rmSync(join(target, name))
