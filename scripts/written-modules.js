// Writes the modules of dist that contain data or third-party content, and makes bundles use them. A `.d.ts` of src at the same path
// declares each module.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { transformSync } from 'esbuild'

const project = join(import.meta.dirname, '..')

/** Returns the text of a module that contains constants. */
export function writeModule(path, constants, licences = []) {
  const exports = Object.entries(constants).map(
    ([name, value]) => `export const ${name} = ${JSON.stringify(value, undefined, 2)}\n`,
  )
  writeDeclared(path, exports, licences)
}

/**
 * Returns a module of another package without unnecessary white space. The module must have no imports, because its package is not
 * installed with ours.
 */
export function writeLibrary(path, source, licence) {
  if (/^import\b|\bfrom ?['"]/m.test(source)) throw new Error(`${path} would import something`)
  const { code } = transformSync(source, { minifyWhitespace: true, format: 'esm', legalComments: 'inline' })
  writeDeclared(path, [code], [licence])
}

/** Bundlers keep comments that begin with an exclamation mark. */
function writeDeclared(path, parts, licences) {
  const declaration = path.replace(/\.js$/, '.d.ts')
  replace(declaration, readFileSync(join(project, 'src', declaration), 'utf8'))
  const comments = licences.map((text) => `/*!\n${text.trimEnd()}\n*/\n`)
  replace(path, [...comments, ...parts].join('\n'))
}

function replace(path, text) {
  replaceFile(join(project, 'dist', 'src', path), text)
}

/** Writes atomically, and only if the text differs: tests may be reading the file. Returns whether it wrote the file. */
export function replaceFile(file, text) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return false
  mkdirSync(dirname(file), { recursive: true })
  const unfinished = `${file}.${process.pid}`
  writeFileSync(unfinished, text)
  renameSync(unfinished, file)
  return true
}

/** Modules that all bundles share as separate files: pages, and third-party code with its licence at the top. */
export const APART = [
  'http/admin-page/packed-files',
  'http/api-page/packed-files',
  'http/pages/packed-files',
  'adapters/imported-hashes/thread-source',
  'adapters/blocklist/common-passwords',
  'adapters/bowser/bowser',
  'adapters/otpauth/otpauth',
  'adapters/otpauth/uqr',
]

/** An esbuild plugin for bundles in a folder of dist. */
export const written = {
  name: 'written',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.?\/.*\.js$/ }, ({ path, resolveDir }) => {
      const source = join(resolveDir, path.replace(/\.js$/, '.d.ts'))
      if (!source.startsWith(join(project, 'src')) || !existsSync(source)) return undefined
      const name = relative(join(project, 'src'), source).replace(/\.d\.ts$/, '')
      return APART.includes(name)
        ? { path: `../src/${name}.js`, external: true }
        : { path: join(project, 'dist', 'src', `${name}.js`) }
    })
  },
}
