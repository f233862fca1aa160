// Writes the modules of dist that hold what is no code of ours, each declared by a `.d.ts` of src at the same path. As
// modules they are found wherever the program is, in a bundle too, and licences go with what they are about. A module
// is replaced in one step, and only where it differs: tests may be reading it.
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const project = join(import.meta.dirname, '..')
const read = (...path) => readFileSync(join(...path), 'utf8')

const bcryptjs = join(project, 'node_modules', 'bcryptjs')
const templates = join(project, 'templates', 'mail')

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

/** Bundlers keep comments that begin with an exclamation mark. */
function write(path, constants, licences = []) {
  const comments = licences.map((text) => `/*!\n${text.trimEnd()}\n*/\n`)
  const exports = Object.entries(constants).map(
    ([name, value]) => `export const ${name} = ${JSON.stringify(value, undefined, 2)}\n`,
  )
  const file = join(project, 'dist', 'src', path)
  const text = [...comments, ...exports].join('\n')
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
