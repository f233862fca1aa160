// Writes dist/lib: the entries of the package as a few bundles that share their modules, with the code of packages that are
// not installed with ours. Files that a browser loads as they are stay in dist/src, and so do declarations and third-party
// code; dist/src/.npmignore leaves out the rest of dist/src.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { build } from 'esbuild'
import { filesBelow } from './files.js'
import { noticesOf } from './third-party.js'
import { APART, replaceFile, written } from './written-modules.js'

const IMPORT = /(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g

const project = join(import.meta.dirname, '..')
const library = join(project, 'dist', 'lib')
const compiled = join(project, 'dist', 'src')
const manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
const entries = Object.values(manifest.exports).filter(({ types }) => types !== undefined)
const isBundled = ({ default: file }) => file.startsWith('./dist/lib/')
const sourceOf = ({ types }) => types.replace('./dist/', '').replace(/\.d\.ts$/, '.ts')

/** Our imports of packages that are installed with ours stay imports. A bundled package may need another version. */
const { dependencies, optionalDependencies, peerDependencies } = manifest
const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
const installed = {
  name: 'installed',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, resolveDir }) => {
      const isOurs = !resolveDir.startsWith(join(project, 'node_modules'))
      const isInstalled = names.some((name) => path === name || path.startsWith(`${name}/`))
      return isOurs && isInstalled ? { path, external: true } : undefined
    })
  },
}

const { outputFiles, metafile } = await build({
  absWorkingDir: project,
  entryPoints: Object.fromEntries(
    entries.filter(isBundled).map((entry) => [basename(entry.default, '.js'), sourceOf(entry)]),
  ),
  outdir: library,
  write: false,
  metafile: true,
  logLevel: 'warning',
  bundle: true,
  platform: 'node',
  // A CommonJS module would need `require`.
  mainFields: ['module', 'main'],
  format: 'esm',
  splitting: true,
  chunkNames: '[name]-[hash]',
  plugins: [written, installed],
})
const texts = new Map(outputFiles.map(({ path, text }) => [path, text]))
texts.set(join(library, 'THIRD-PARTY-NOTICES.txt'), noticesOf(project, Object.keys(metafile.inputs)))
for (const [path, text] of texts) replaceFile(path, text)
for (const file of filesBelow(library, '')) if (!texts.has(join(library, file))) rmSync(join(library, file))

// An unchecked build has no declarations, and is not packed.
if (entries.every(({ types }) => existsSync(join(project, types)))) {
  const kept = needed()
  const unused = filesBelow(compiled, '').filter((file) => !kept.has(join(compiled, file)))
  const lines = unused.map((file) => `/${file.replaceAll('\\', '/')}\n`).sort()
  replaceFile(join(compiled, '.npmignore'), lines.join(''))
}

/** The files of dist/src that a program or a compiler reaches. */
function needed() {
  const files = entries.flatMap((entry) => (isBundled(entry) ? [entry.types] : [entry.types, entry.default]))
  const found = new Set(files.map((file) => join(project, file)))
  for (const name of APART) found.add(join(compiled, `${name}.js`))
  // A set that grows is iterated to its end.
  for (const file of found)
    for (const [, path] of readFileSync(file, 'utf8').matchAll(IMPORT))
      found.add(join(dirname(file), file.endsWith('.d.ts') ? path.replace(/\.js$/, '.d.ts') : path))
  return found
}
