// Selects the tests near changed files: through imports, through the names of files in texts, and from the suites in HELD.
import { dirname, join } from 'node:path/posix'
import { filesBelow, textOf } from './files.js'
import { partNameOf } from './test-plan.js'

/** The maximum number of test files for one changed file, and for all changed files. */
const PER_FILE = 12
const IN_ALL = 24

/** Tests that always run, because they are fast and cover all files. */
const ALWAYS = ['architecture/words', 'architecture/mirrors', 'architecture/names']

const thread = ['argon2', 'bcrypt', 'crypt', 'hash-thread']

/** Tests that cover a file without importing it, or that import it only through many other files. */
const HELD = [
  [/^(src|test)\/contracts\//, ['contracts/memory', 'contracts/broken-store']],
  [/^src\/ports\//, ['composition-root/custom-parts/watch', 'contracts/memory']],
  // The build copies the content of these files into other files.
  [/^src\/adapters\/imported-hashes\/in-thread\//, thread.map((name) => `adapters/imported-hashes/${name}`)],
  [/^src\/adapters\/sqlite\//, ['adapters/sqlite/plans', 'contracts/sqlite']],
  [/^src\/adapters\/memory\//, ['contracts/memory']],
  [/^src\/adapters\/mongodb\//, ['adapters/mongodb/errors', 'adapters/mongodb/explain', 'contracts/mongodb']],
  [/^src\/adapters\/postgresql\//, ['contracts/postgresql']],
  [/^src\/adapters\/sql\//, ['contracts/sqlite', 'contracts/postgresql']],
  [/^src\/application\//, ['application/wiring', 'application/operation']],
  [/^src\/http\/|^test\/http\/(interface|record)/, ['http/endpoints', 'http/recorded-replies']],
  [/^src\/http\/endpoints\/administration\//, ['client/admin']],
  [/^src\/adapters\/oclif\/|^package\.json/, ['cli/help', 'cli/own-process', 'documentation/documentation']],
  [/^src\/configuration\/|^\.env\.example/, ['configuration/settings', 'embedding/setting-options']],
  [/^src\/domain\/access\//, ['domain/access/components', 'documentation/generated-pages']],
  [/\.md$/, ['handbook/map', 'handbook/references', 'documentation/changelog']],
  [/^docs\/contribute\//, ['handbook/contribute']],
  [/^docs\/embed\//, ['handbook/embed']],
  [/^docs\/http\//, ['handbook/http']],
  [/^docs\/http\/(log-in|verify)/, ['handbook/other-languages']],
  [/^docs\/operate\/[a-k]/, ['handbook/operate-a-to-k']],
  [/^docs\/operate\/[l-q]/, ['handbook/operate-l-to-q']],
  [/^docs\/operate\/[r-z]/, ['handbook/operate-r-to-z']],
  [/^docs\/operate\/(backup|mongodb|tls-proxy)/, ['handbook/operate-with-tools']],
  [/^src\/(configuration|ports|http)\//, ['documentation/generated-pages']],
  [/^scripts\//, ['architecture/test-plan', 'architecture/near', 'documentation/generated-pages']],
]

/** Type-only imports, whose effect the compiler checks. */
const TYPES_ONLY = /^(?:import|export) type [^'"]*? from '[^']*'/gm
const MODULE = /['"`]([\w./-]+)\.js['"`]/g

/** Connects the command tests with the files of the commands: the tests run the bundle, so no import connects them. */
const BUNDLED = { user: 'test/cli/app.ts', folder: 'src/adapters/oclif/commands/' }

/**
 * Returns the test files for these changed files: the nearest by import or by name, and the suites that contain the files.
 * `others` is the number of more distant test files. `sources` contains the text of each file in src and test, keyed by path.
 */
export function selectTests(changed, sources) {
  const importers = importersIn(sources)
  const found = changed.map((file) => nearestTests(file, sources, importers))
  const held = HELD.flatMap(([pattern, tests]) => (changed.some((file) => pattern.test(file)) ? tests : []))
  const sure = [...ALWAYS, ...held].filter((test) => sources.has(`test/${test}.test.ts`))
  // The nearest test of each file runs first.
  const nearest = new Set(found.flatMap(([first]) => first ?? []).slice(0, IN_ALL))
  for (const test of sure) nearest.add(test)
  for (let place = 1; place < PER_FILE; place += 1)
    for (const tests of found)
      if (tests[place] !== undefined && nearest.size < IN_ALL + sure.length) nearest.add(tests[place])
  const all = new Set(found.flat())
  return { tests: [...nearest], others: [...all].filter((test) => !nearest.has(test)).length }
}

/** Returns the store ports whose adapters have changed, or '' if a law or a port has changed, so that all laws must run. */
export function changedPorts(changed) {
  if (changed.some((file) => /^(src|test)\/contracts\/|^src\/ports\//.test(file))) return ''
  const names = changed.flatMap(
    (file) => /^src\/adapters\/(?:sql|sqlite|postgresql|mongodb)\/(.*)\.ts$/.exec(file)?.[1] ?? [],
  )
  return names.map((name) => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase())).join(' ')
}

/** Returns the text of each file in src and test, keyed by path. */
export function readSources(folder) {
  const paths = ['src', 'test'].flatMap((root) =>
    filesBelow(join(folder, root), '.ts').map((file) => `${root}/${file}`),
  )
  return new Map(paths.map((path) => [path.replaceAll('\\', '/'), textOf(join(folder, path))]))
}

/** Returns the files that import each file or contain its path, as in `fork('store-main.js')`. */
function importersIn(sources) {
  const importers = new Map()
  const bundled = [...sources.keys()].filter((path) => path.startsWith(BUNDLED.folder))
  for (const [path, text] of sources) {
    const named = Array.from(text.replace(TYPES_ONLY, '').matchAll(MODULE), ([, name]) => `${name}.ts`)
    const modules = named.flatMap((name) => [join(dirname(path), name), join('test', name)])
    if (path === BUNDLED.user) modules.push(...bundled)
    for (const one of modules) importers.set(one, [...(importers.get(one) ?? []), path])
  }
  return importers
}

/**
 * Returns the tests that depend on a file, nearest first. Tests at the file's own path come first. Each intermediate import increases the
 * distance, and each word that both paths contain reduces it. A slow test is included only if it imports the file itself.
 */
function nearestTests(file, sources, importers) {
  const distances = new Map(startsOf(file, sources))
  // This loop also visits paths that are added during it.
  for (const [path, distance] of distances)
    for (const importer of importers.get(path) ?? [])
      if (!distances.has(importer)) distances.set(importer, distance + 1)
  const mirror = file.replace(/^src/, 'test').replace(/\.ts$/, '')
  const isAtPath = (path) => path === file || path === `${mirror}.test.ts` || path.startsWith(`${mirror}/`)
  const words = wordsOf(file)
  const shared = (path) => wordsOf(path).filter((one) => words.includes(one)).length
  return [...sources.keys()]
    .filter((path) => path.endsWith('.test.ts') && (distances.has(path) || isAtPath(path)))
    .map((path) => ({ path, name: path.slice('test/'.length, -'.test.ts'.length), at: isAtPath(path) }))
    .filter(({ path, name, at }) => at || isQuick(name, distances.get(path)))
    .map(({ path, name, at }) => ({ name, rank: at ? -1e9 : distances.get(path) - 2 * shared(path) }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ name }) => name)
}

function isQuick(test, distance) {
  const part = partNameOf(test)
  return part === 'all' || (distance <= 1 && ['slow', 'thorough'].includes(part))
}

/** The search for tests begins at the file itself or, if it is not a module, at the files that contain its name. */
function startsOf(file, sources) {
  if (sources.has(file)) return [[file, 0]]
  const name = file.replace(/^.*\/(?=[^/]+\/[^/]+$)/, '').replace(/\.md$/, '')
  const last = file.replace(/^.*\//, '')
  return Array.from(sources).flatMap(([path, text]) =>
    text.includes(`'${last}'`) || text.includes(name) ? [[path, 1]] : [],
  )
}

/** Returns the words of a path in the singular, without `src` and `test`. */
function wordsOf(path) {
  const words = path.replace(/^(?:src|test)\/|(?:\.test)?\.ts$/g, '').match(/[a-z]{3,}/g) ?? []
  return [...new Set(words.map((word) => word.replace(/s$/, '')))]
}
