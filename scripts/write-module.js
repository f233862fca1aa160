// How the build writes a module of dist that holds data or third-party content and is declared by a `.d.ts` of src at
// the same path.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { transformSync } from 'esbuild'

const project = join(import.meta.dirname, '..')

/** A module that holds constants. */
export function writeModule(path, constants, licences = []) {
  const exports = Object.entries(constants).map(
    ([name, value]) => `export const ${name} = ${JSON.stringify(value, undefined, 2)}\n`,
  )
  writeDeclared(path, exports, licences)
}

/**
 * A module of another package, without its blanks. It may import nothing, because its package is not installed with
 * ours.
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

/** Writes atomically, and only if the text differs: tests may be reading the file. */
export function replaceFile(file, text) {
  if (text === written(file)) return
  mkdirSync(dirname(file), { recursive: true })
  const unfinished = `${file}.${process.pid}`
  writeFileSync(unfinished, text)
  renameSync(unfinished, file)
}

function written(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
