// Finds the tests that depend on a file, either through imports or because they contain its name.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { filesBelow } from './files.js'
import { partNameOf } from './test-plan.js'

/** Type-only imports, whose effect the compiler checks. */
const TYPES_ONLY = /^(?:import|export) type [^'"]*? from '[^']*'/gm
const MODULE = /['"`]([\w./-]+)\.js['"`]/g

/** Connects the command tests with the command modules: the tests run the bundle, so no import connects them. */
const BUNDLED = { user: 'test/cli/app.ts', module: 'src/adapters/oclif/command-modules.ts' }

/** Returns the text of each file in src and test, keyed by path. */
export function readSources(folder) {
  const paths = ['src', 'test'].flatMap((root) =>
    filesBelow(join(folder, root), '.ts').map((file) => `${root}/${file}`),
  )
  return new Map(paths.map((path) => [path.replaceAll('\\', '/'), readFileSync(join(folder, path), 'utf8')]))
}

/** Returns, for each file, the modules that it imports or whose paths it contains, as in `fork('store-main.js')`. */
function importsOf(sources) {
  return new Map(
    Array.from(sources, ([path, text]) => {
      const named = Array.from(text.replace(TYPES_ONLY, '').matchAll(MODULE), ([, name]) => `${name}.ts`)
      const modules = named.flatMap((name) => [join(dirname(path), name), join('test', name)])
      if (path === BUNDLED.user) modules.push(BUNDLED.module)
      return [path, modules.filter((one) => sources.has(one))]
    }),
  )
}

/**
 * Returns the names of the tests that depend on a file, nearest first. Tests at the file's own path come first. Each
 * intermediate import increases the distance, and each word that both paths contain reduces it. A slow test is included
 * only if it imports the file itself.
 */
export function nearestTests(file, sources, importers) {
  const distances = new Map(startsOf(file, sources))
  // This loop also visits paths that are added during it.
  for (const [path, distance] of distances)
    for (const importer of importers.get(path) ?? [])
      if (!distances.has(importer)) distances.set(importer, distance + 1)
  const mirror = file.replace(/^src/, 'test').replace(/\.ts$/, '')
  const isAtPath = (path) => path === file || path === `${mirror}.test.ts` || path.startsWith(`${mirror}/`)
  const words = wordsOf(file)
  const rankOf = (path) =>
    isAtPath(path)
      ? -Infinity
      : distances.get(path) - 2 * wordsOf(path).filter((one) => words.includes(one)).length
  return [...sources.keys()]
    .filter((path) => path.endsWith('.test.ts') && (distances.has(path) || isAtPath(path)))
    .map((path) => ({ path, name: path.slice('test/'.length, -'.test.ts'.length), rank: rankOf(path) }))
    .filter(({ path, name }) => isAtPath(path) || isQuick(name, distances.get(path)))
    .sort((one, other) => (one.rank === other.rank ? 0 : one.rank - other.rank))
    .map(({ name }) => name)
}

function isQuick(test, distance) {
  const part = partNameOf(test)
  return part === 'all' || (distance <= 1 && ['slow', 'thorough'].includes(part))
}

/** Returns where the search for tests begins: at the file itself or, if it is not a module, at the files that contain its name. */
function startsOf(file, sources) {
  if (sources.has(file)) return [[file, 0]]
  const name = file.replace(/^.*\/(?=[^/]+\/[^/]+$)/, '').replace(/\.md$/, '')
  const last = file.replace(/^.*\//, '')
  return Array.from(sources).flatMap(([path, text]) =>
    text.includes(`'${last}'`) || text.includes(name) ? [[path, 1]] : [],
  )
}

/** The files that import each file. */
export function importersIn(sources) {
  const importers = new Map()
  for (const [path, modules] of importsOf(sources))
    for (const one of modules) importers.set(one, [...(importers.get(one) ?? []), path])
  return importers
}

/** Returns the words of a path in the singular, without `src` and `test`. */
function wordsOf(path) {
  const words = path.replace(/^(?:src|test)\/|(?:\.test)?\.ts$/g, '').match(/[a-z]{3,}/g) ?? []
  return [...new Set(words.map((word) => word.replace(/s$/, '')))]
}
