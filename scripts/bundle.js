// Bundles the command and the service with all their packages into dist/app, so that startup reads few files: each `import()` in src
// becomes a separate file that is loaded only when needed. With `--modules` the command loads the modules of dist/src instead, one by one,
// for a debugger and for coverage. Also writes dist/lib: the entries of the package as a few bundles that share their modules, with the code
// of packages that are not installed with ours. Files that browsers load, declarations and third-party code stay in dist/src.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { build } from 'esbuild'
import { filesBelow, jsonOf, PROJECT, replaceFile, textOf } from './files.js'

const app = join(PROJECT, 'dist', 'app')
const compiled = join(PROJECT, 'dist', 'src')

/** Packages that are imported when they are used: optional packages, and native packages, which must stay at their own path. */
const EXTERNAL = ['@simplewebauthn/server', 'mongodb', 'paseto', 'pg', '@photostructure/sqlite']

/** Packages that Kennel does not use: plugins, TypeScript, command search and animations of oclif, and raw-body's charsets (200 kB). */
const UNUSED = [
  ...['typescript', 'ts-node', 'tinyglobby', 'minimatch', 'lilconfig', 'semver', 'get-package-type'],
  ...['cli-spinners', 'wsl-utils', 'iconv-lite'],
]

/** ejs and depd generate code from strings, which hardened Node forbids. The media types, 150 kB, would be bundled in two versions. */
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
  absWorkingDir: PROJECT,
  write: false,
  metafile: true,
  logLevel: 'warning',
  bundle: true,
  platform: 'node',
  format: 'esm',
  splitting: true,
  chunkNames: '[name]-[hash]',
}

/** Captures the name of a package. Generated modules, whose paths begin with a prefix and a colon, do not match. */
const FOLDER = /^(?!\w+:).*node_modules[/\\]((?:@[^/\\]+[/\\])?[^/\\]+)/
const NOTICE = /^(licen[cs]e|copying|notice)/i
const IMPORT = /(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g

const manifest = jsonOf('package.json')
const entries = Object.values(manifest.exports).filter(({ types }) => types !== undefined)

/** Keeps only our imports of installed packages, because bundled packages may need a different version. */
const { dependencies, optionalDependencies, peerDependencies } = manifest
const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
const installed = {
  name: 'installed',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, resolveDir }) => {
      const isOurs = !resolveDir.startsWith(join(PROJECT, 'node_modules'))
      const isInstalled = names.some((name) => path === name || path.startsWith(`${name}/`))
      return isOurs && isInstalled ? { path, external: true } : undefined
    })
  },
}

/** Modules that all bundles share as separate files: pages, and third-party code with its licence at the top. */
const APART = [
  ...['admin-page', 'api-page', 'pages'].map((folder) => `http/${folder}/packed-files`),
  'adapters/imported-hashes/thread-source',
  'adapters/blocklist/common-passwords',
  'adapters/bowser/bowser',
  'adapters/otpauth/otpauth',
  'adapters/otpauth/uqr',
]

/** Resolves imports of the modules that `write-modules.js` writes. */
const written = {
  name: 'written',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.?\/.*\.js$/ }, ({ path, resolveDir }) => {
      // The neighbours of a written module are compiled from their sources.
      if (resolveDir.startsWith(compiled))
        return { path: join(PROJECT, 'src', relative(compiled, resolveDir), path.replace(/js$/, 'ts')) }
      const source = join(resolveDir, path.replace(/\.js$/, '.d.ts'))
      if (!source.startsWith(join(PROJECT, 'src')) || !existsSync(source)) return undefined
      const name = relative(join(PROJECT, 'src'), source).replace(/\.d\.ts$/, '')
      return APART.includes(name)
        ? { path: `../src/${name}.js`, external: true }
        : { path: join(compiled, `${name}.js`) }
    })
  },
}

if (process.argv.includes('--modules')) {
  rmSync(app, { recursive: true, force: true })
  replaceFile(join(app, 'main.js'), "export { main } from '../src/program/main.js'\n")
} else await bundleApp()
await bundleLibrary()
// An unchecked build has no declarations, and is not packed.
if (entries.every(({ types }) => existsSync(join(PROJECT, types)))) writeUnused()

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
    banner: { js: BANNER },
    plugins: [builtin, written],
    // Keeps the JSON files of packages as files, because parsing JSON is faster than building an object.
    loader: { '.json': 'copy' },
  }
  const contents = (metafile) => ({ 'contents.json': JSON.stringify(contentsOf(metafile), undefined, 1) })
  const hasChanged = await writeBundle(app, options, contents)
  // A compile cache of the previous bundle is out of date.
  if (hasChanged) rmSync(join(PROJECT, 'dist', 'compile-cache'), { recursive: true, force: true })
}

async function bundleLibrary() {
  const sources = entries
    .filter((entry) => entry.default.startsWith('./dist/lib/'))
    .map(({ types, default: file }) => [
      basename(file, '.js'),
      types.replace(/^.\/dist\/(.*)\.d\.ts$/, '$1.ts'),
    ])
  await writeBundle(join(PROJECT, 'dist', 'lib'), {
    entryPoints: Object.fromEntries(sources),
    // Prefers ES modules, because a CommonJS module would need `require`.
    mainFields: ['module', 'main'],
    plugins: [written, installed],
  })
}

/** Writes a bundle, the notices of its packages and `more` files; removes all other files. Returns whether a file has changed. */
async function writeBundle(folder, options, more = () => ({})) {
  const { metafile, outputFiles } = await build({ ...BUNDLE, ...options, outdir: folder })
  const texts = new Map(outputFiles.map(({ path, text }) => [path, text]))
  const added = { 'THIRD-PARTY-NOTICES.txt': noticesOf(Object.keys(metafile.inputs)), ...more(metafile) }
  for (const [name, text] of Object.entries(added)) texts.set(join(folder, name), text)
  const changed = [...texts].filter(([path, text]) => replaceFile(path, text))
  for (const file of filesBelow(folder, '')) if (!texts.has(join(folder, file))) rmSync(join(folder, file))
  return changed.length > 0
}

function contentsOf({ inputs, outputs }) {
  const packages = Object.entries(outputs)
    .filter(([file]) => file.endsWith('.js'))
    .map(([file, { inputs: parts }]) => [basename(file), packagesOf(Object.keys(parts), 1)])
  return { inputs: Object.keys(inputs).sort(), packages: Object.fromEntries(packages) }
}

function noticesOf(files) {
  const notices = new Set(packagesOf(files, 0).map(noticeOf))
  return `The files next to this file contain code from these packages.\n\n${[...notices].join('\n')}`
}

/** Returns the names (1) or the paths (0) of the packages that these files belong to. */
function packagesOf(files, group) {
  return [...new Set(files.flatMap((file) => FOLDER.exec(file)?.[group] ?? []))].sort()
}

function noticeOf(folder) {
  const { name, version, license, repository } = jsonOf(join(folder, 'package.json'))
  if (!license) throw new Error(`${name} does not state its licence`)
  const files = readdirSync(join(PROJECT, folder)).filter((file) => NOTICE.test(file))
  const texts = files.sort().map((file) => textOf(join(folder, file)).trim())
  if (texts.length === 0)
    texts.push(`The package contains no licence text; its repository is ${repository.url ?? repository}.`)
  return ['='.repeat(80), `${name} ${version} (${license})`, '', ...texts, ''].join('\n')
}

/** Excludes from the package the files in dist/src that neither a program nor a compiler uses. */
function writeUnused() {
  const kept = new Set(entries.flatMap((entry) => [join(PROJECT, entry.types), join(PROJECT, entry.default)]))
  for (const name of APART) kept.add(join(compiled, `${name}.js`))
  // This loop also visits files that are added during it.
  for (const file of kept)
    for (const [, path] of textOf(file).matchAll(IMPORT))
      kept.add(join(dirname(file), file.endsWith('.d.ts') ? path.replace(/\.js$/, '.d.ts') : path))
  const unused = filesBelow(compiled, '').filter((file) => !kept.has(join(compiled, file)))
  const lines = unused.map((file) => `/${file.replaceAll('\\', '/')}\n`).sort()
  replaceFile(join(compiled, '.npmignore'), lines.join(''))
}
