// Bundles the command and the service with all their packages into dist/app, so that startup reads few files: each `import()` in src
// becomes a separate file that is loaded only when needed. With `--modules` the command loads the modules of dist/src instead, one by one,
// for a debugger and for coverage. Writes dist/lib: the entries of the package as a few bundles that share their modules, with the code of
// packages that are not installed with ours. Files that browsers load, declarations and third-party code are not bundled and stay in
// dist/src; dist/src/.npmignore leaves out the rest of dist/src.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { build } from 'esbuild'
import { filesBelow } from './files.js'
import { APART, replaceFile, written } from './written-modules.js'

const project = join(import.meta.dirname, '..')
const app = join(project, 'dist', 'app')
const compiled = join(project, 'dist', 'src')

/**
 * Packages that are not bundled but imported when they are used: optional packages, and native packages that must stay at their own path.
 */
const EXTERNAL = ['@simplewebauthn/server', 'mongodb', 'paseto', 'pg', '@photostructure/sqlite']

/**
 * Imports that unused features need: plugins, TypeScript and command search in oclif, and charsets in raw-body (200 kB of tables; Kennel
 * reads only bytes).
 */
const UNUSED = [
  ...['typescript', 'ts-node', 'tinyglobby', 'minimatch', 'lilconfig', 'semver', 'get-package-type'],
  'iconv-lite',
]

/**
 * Two packages that generate code from strings when they are loaded, which
 * `--disallow-code-generation-from-strings` forbids. The table of media types is 150 kB and would be bundled
 * in two versions.
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
 * Loads Node modules without their ESM wrappers: a wrapper reads every export, and fetch and WebSocket of `node:http` take 20 ms to load.
 * Each importer gets its own copy, because a shared copy would become a separate file.
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

const BUNDLE = {
  absWorkingDir: project,
  write: false,
  metafile: true,
  logLevel: 'warning',
  bundle: true,
  platform: 'node',
  format: 'esm',
  splitting: true,
  chunkNames: '[name]-[hash]',
}

/** Captures the name of a package in a path. Generated modules, whose paths begin with a prefix and a colon, do not match. */
const FOLDER = /^(?!\w+:).*node_modules[/\\]((?:@[^/\\]+[/\\])?[^/\\]+)/
const NOTICE = /^(licen[cs]e|copying|notice)/i

const IMPORT = /(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g

const manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
const entries = Object.values(manifest.exports).filter(({ types }) => types !== undefined)
const isBundled = ({ default: file }) => file.startsWith('./dist/lib/')
const sourceOf = ({ types }) => types.replace('./dist/', '').replace(/\.d\.ts$/, '.ts')

/**
 * Keeps our imports of installed packages as imports. Imports in bundled packages are bundled, because they may need a different version.
 */
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

if (process.argv.includes('--modules')) {
  rmSync(app, { recursive: true, force: true })
  replaceFile(join(app, 'main.js'), "export { main } from '../src/program/main.js'\n")
} else await bundleApp()
await bundleLibrary()
// An unchecked build has no declarations, and is not packed.
if (entries.every(({ types }) => existsSync(join(project, types)))) writeUnused()

async function bundleApp() {
  const options = {
    entryPoints: { main: join('src', 'program', 'main.ts') },
    target: 'node20.19',
    minifySyntax: true,
    minifyWhitespace: true,
    // Limits the length of lines, because Node prints the whole line that threw an uncaught error.
    lineLimit: 160,
    legalComments: 'none',
    sourcemap: 'external',
    sourcesContent: false,
    external: EXTERNAL,
    alias: REPLACED,
    // Defines `require`, `__filename` and `__dirname`, which CommonJS packages expect.
    banner: { js: BANNER },
    plugins: [builtin, written],
    // Keeps the JSON files of packages as files, because parsing JSON is faster than building an object.
    loader: { '.json': 'copy' },
  }
  const contents = (metafile) => ({ 'contents.json': JSON.stringify(contentsOf(metafile), undefined, 1) })
  const hasChanged = await writeBundle(app, options, contents)
  // The cached code belongs to modules that have changed.
  if (hasChanged) rmSync(join(project, 'dist', 'compile-cache'), { recursive: true, force: true })
}

async function bundleLibrary() {
  await writeBundle(join(project, 'dist', 'lib'), {
    entryPoints: Object.fromEntries(
      entries.filter(isBundled).map((entry) => [basename(entry.default, '.js'), sourceOf(entry)]),
    ),
    // Prefers ES modules, because a CommonJS module would need `require`.
    mainFields: ['module', 'main'],
    plugins: [written, installed],
  })
}

/**
 * Writes a bundle into its folder, with the notices of its packages and `more` files, and removes all other files. Returns
 * whether a file has changed.
 */
async function writeBundle(folder, options, more = () => ({})) {
  const { metafile, outputFiles } = await build({ ...BUNDLE, ...options, outdir: folder })
  const texts = new Map(outputFiles.map(({ path, text }) => [path, text]))
  const added = { 'THIRD-PARTY-NOTICES.txt': noticesOf(Object.keys(metafile.inputs)), ...more(metafile) }
  for (const [name, text] of Object.entries(added)) texts.set(join(folder, name), text)
  const changed = [...texts].filter(([path, text]) => replaceFile(path, text))
  for (const file of filesBelow(folder, '')) if (!texts.has(join(folder, file))) rmSync(join(folder, file))
  return changed.length > 0
}

/** Returns the bundle's sources, and the packages whose code is in each output file. */
function contentsOf({ inputs, outputs }) {
  const packages = Object.entries(outputs)
    .filter(([file]) => file.endsWith('.js'))
    .map(([file, { inputs: parts }]) => [basename(file), packagesOf(Object.keys(parts))])
  return { inputs: Object.keys(inputs).sort(), packages: Object.fromEntries(packages) }
}

/**
 * Returns the licences of all packages in these files, as one string. Throws if a package does not state its licence.
 */
function noticesOf(files) {
  const folders = [...new Set(files.flatMap((file) => FOLDER.exec(file)?.[0] ?? []))].sort()
  const notices = folders.map((folder) => noticeOf(join(project, folder)))
  return `The files next to this file contain code from these packages.\n\n${[...new Set(notices)].join('\n')}`
}

/** Returns the names of the packages in these files. */
function packagesOf(files) {
  return [...new Set(files.flatMap((file) => FOLDER.exec(file)?.[1] ?? []))].sort()
}

function noticeOf(folder) {
  const { name, version, license, repository } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  )
  if (!license) throw new Error(`${name} does not state its licence`)
  const texts = readdirSync(folder)
    .filter((file) => NOTICE.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim())
  const said =
    texts.length > 0
      ? texts
      : [`The package contains no licence text; its repository is ${repository.url ?? repository}.`]
  return ['='.repeat(80), `${name} ${version} (${license})`, '', ...said, ''].join('\n')
}

/** Lists the files of dist/src that are not published. */
function writeUnused() {
  const kept = needed()
  const unused = filesBelow(compiled, '').filter((file) => !kept.has(join(compiled, file)))
  const lines = unused.map((file) => `/${file.replaceAll('\\', '/')}\n`).sort()
  replaceFile(join(compiled, '.npmignore'), lines.join(''))
}

/** The files in dist/src that a program or a compiler uses. */
function needed() {
  const files = entries.flatMap((entry) => (isBundled(entry) ? [entry.types] : [entry.types, entry.default]))
  const found = new Set(files.map((file) => join(project, file)))
  for (const name of APART) found.add(join(compiled, `${name}.js`))
  // This loop also visits files that are added during it.
  for (const file of found)
    for (const [, path] of readFileSync(file, 'utf8').matchAll(IMPORT))
      found.add(join(dirname(file), file.endsWith('.d.ts') ? path.replace(/\.js$/, '.d.ts') : path))
  return found
}
