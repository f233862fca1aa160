// Writes dist/app: the command and the service with all their packages, so that a start reads few files. Modules are loaded when they are used: each `import()` of src becomes a separate
// file. With `--modules` the command loads the modules of dist/src instead, one by one, for a debugger and for
// coverage.
import { rmSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { basename, join } from 'node:path'
import { decode, encode } from '@jridgewell/sourcemap-codec'
import { build } from 'esbuild'
import { filesBelow } from './files.js'
import { noticesOf, packagesOf } from './third-party.js'
import { replaceFile, written } from './written-modules.js'

const project = join(import.meta.dirname, '..')
const folder = join(project, 'dist', 'app')
const entry = join(folder, 'main.js')
/** The sources of the bundle, and the packages whose code each output file holds. */
const CONTENTS = join(folder, 'contents.json')

/** Optional packages, and native packages that must stay at their own path: imported when they are used. */
const EXTERNAL = ['mongodb', 'paseto', '@photostructure/sqlite']

/**
 * Imports for features that are not used here: plugins, TypeScript and command search of oclif, and decoding of raw-body,
 * which reads bytes here (its charset tables are 200 kB of the package).
 */
const UNUSED = [
  ...['typescript', 'ts-node', 'tinyglobby', 'minimatch', 'lilconfig', 'semver', 'get-package-type'],
  'iconv-lite',
]

/**
 * Two packages that make code from strings when they are loaded, which `--disallow-code-generation-from-strings` forbids.
 * The table of media types is 150 kB and would be bundled in two versions.
 */
const REPLACED = {
  ...Object.fromEntries(UNUSED.map((name) => [name, './scripts/bundled/nothing.cjs'])),
  ejs: './scripts/bundled/ejs.cjs',
  depd: './scripts/bundled/depd.cjs',
  'mime-db': './node_modules/mime-db/index.js',
}

/** Globals that CommonJS packages use without an import. */
const BANNER = [
  "const require = process.getBuiltinModule('node:module').createRequire(import.meta.url)",
  'const [__filename, __dirname] = [import.meta.filename, import.meta.dirname]',
].join(';')

/**
 * A Node module without its ESM wrapper, which reads every export when it is created: the exports of `node:http`
 * include fetch and web sockets, and take 20 ms. Each importer gets a copy, so that it is not a separate file.
 */
const builtin = {
  name: 'builtin',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node:)?[a-z_/0-9]+$/ }, ({ path, kind, importer }) => {
      if (!isBuiltin(path) || kind === 'require-call') return undefined
      return { path, namespace: 'builtin', suffix: `?${importer}` }
    })
    onLoad({ filter: /./, namespace: 'builtin' }, ({ path }) => ({ contents: builtinModule(path) }))
  },
}

function builtinModule(path) {
  const names = Object.keys(process.getBuiltinModule(path)).filter((name) => name !== 'default')
  return [
    `const all = process.getBuiltinModule('${path}')`,
    'export default all',
    ...names.map((name) => `export const ${name} = /* @__PURE__ */ (() => all.${name})()`),
  ].join('\n')
}

/**
 * A map of only our own lines is a fifth of the size. The lines after them are marked, so that they do not count as
 * ours.
 */
function ownLines(text) {
  const map = JSON.parse(text)
  const own = map.sources.map((source) => source.startsWith('../../src/'))
  let before
  const lines = decode(map.mappings).map((line) =>
    line.flatMap((segment) => {
      const wasOwn = before
      before = segment.length > 1 && own[segment[1]]
      if (before) return [segment.slice(0, 4)]
      return wasOwn ? [[segment[0]]] : []
    }),
  )
  const sources = map.sources.map((source, index) => (own[index] ? source : ''))
  return JSON.stringify({ version: map.version, sources, names: [], mappings: encode(lines) })
}

if (process.argv.includes('--modules')) {
  rmSync(folder, { recursive: true, force: true })
  replaceFile(entry, "export { main } from '../src/program/main.js'\n")
} else await bundle()

async function bundle() {
  const { metafile, outputFiles } = await build({
    absWorkingDir: project,
    entryPoints: { main: join('src', 'program', 'main.ts') },
    outdir: folder,
    write: false,
    metafile: true,
    logLevel: 'warning',
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    splitting: true,
    chunkNames: '[name]-[hash]',
    minifySyntax: true,
    minifyWhitespace: true,
    // Node prints the whole line of an uncaught error.
    lineLimit: 160,
    legalComments: 'none',
    sourcemap: 'external',
    sourcesContent: false,
    external: EXTERNAL,
    alias: REPLACED,
    // Defines `require`, `__filename` and `__dirname`, which CommonJS packages expect.
    banner: { js: BANNER },
    plugins: [builtin, written],
    // Tables of packages: a program reads JSON faster than it builds an object.
    loader: { '.json': 'copy' },
  })
  const inputs = Object.keys(metafile.inputs)
  const texts = new Map(
    outputFiles.map(({ path, text }) => [path, path.endsWith('.map') ? ownLines(text) : text]),
  )
  texts.set(join(folder, 'THIRD-PARTY-NOTICES.txt'), noticesOf(project, inputs))
  texts.set(CONTENTS, JSON.stringify(contentsOf(metafile), undefined, 1))
  const changed = [...texts].filter(([path, text]) => replaceFile(path, text))
  // Holds compiled code of modules that no longer exist.
  if (changed.length > 0) rmSync(join(project, 'dist', 'compile-cache'), { recursive: true, force: true })
  for (const file of filesBelow(folder, '')) if (!texts.has(join(folder, file))) rmSync(join(folder, file))
}

function contentsOf({ inputs, outputs }) {
  const packages = Object.entries(outputs)
    .filter(([file]) => file.endsWith('.js'))
    .map(([file, { inputs: parts }]) => [basename(file), packagesOf(Object.keys(parts))])
  return { inputs: Object.keys(inputs).sort(), packages: Object.fromEntries(packages) }
}
