// How the build writes a module of dist that holds constants and is declared by a `.d.ts` of src at the same path.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const project = join(import.meta.dirname, '..')

/** Bundlers keep comments that begin with an exclamation mark. */
export function writeModule(path, constants, licences = []) {
  const declaration = path.replace(/\.js$/, '.d.ts')
  replace(declaration, readFileSync(join(project, 'src', declaration), 'utf8'))
  const comments = licences.map((text) => `/*!\n${text.trimEnd()}\n*/\n`)
  const exports = Object.entries(constants).map(
    ([name, value]) => `export const ${name} = ${JSON.stringify(value, undefined, 2)}\n`,
  )
  replace(path, [...comments, ...exports].join('\n'))
}

function replace(path, text) {
  replaceFile(join(project, 'dist', 'src', path), text)
}

/** In one step, and only where it differs: tests may be reading it. */
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
