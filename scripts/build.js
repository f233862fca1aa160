// Compiles src, test and bench to dist. The compiler never removes the output of a deleted source, so a deleted test
// would continue to run, and it never rewrites output that it believes to exist, so a removed output would stay
// missing: this script fixes both, and an unchanged tree stays quick. The published modules (dist/src) name no source
// map, because the package has none; with `--maps` they do, for a debugger or coverage. With `--unchecked` it writes only
// the modules of changed sources and checks no types, which takes a third of the time.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { build } from 'esbuild'
import { filesBelow } from './files.js'

const ROOTS = ['src', 'test', 'bench']
const PUBLISHED = 'src'
const POINTER = /\n\/\/# sourceMappingURL=.*\s*$/
const withMaps = process.argv.includes('--maps')
const project = join(import.meta.dirname, '..')
const compiler = createRequire(import.meta.url).resolve('typescript/lib/tsc.js')

function compile() {
  const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.json'], {
    cwd: project,
    stdio: 'inherit',
  })
  return status ?? 1
}

function sourcesBelow(root) {
  return filesBelow(join(project, root), '.ts').filter((file) => !file.endsWith('.d.ts'))
}

function expectedOutputs(root) {
  const endings = ['.js', '.d.ts', ...(withMaps || root !== PUBLISHED ? ['.js.map'] : [])]
  return sourcesBelow(root).flatMap((file) => endings.map((ending) => file.replace(/\.ts$/, ending)))
}

/**
 * The list of files that are not published, which `library.js` writes, and modules that a `.d.ts` declares and
 * `write-assets.js` writes. Both scripts replace a file if it differs.
 */
function madeElsewhere(root) {
  const declared = filesBelow(join(project, root), '.d.ts')
  return ['.npmignore', ...declared.flatMap((file) => [file, file.replace(/\.d\.ts$/, '.js')])]
}

function removeStale(root) {
  const expected = new Set([...expectedOutputs(root), ...madeElsewhere(root)])
  const folder = join(project, 'dist', root)
  for (const file of filesBelow(folder, '')) if (!expected.has(file)) rmSync(join(folder, file))
}

function somethingMissing(root) {
  return expectedOutputs(root).some((file) => !existsSync(join(project, 'dist', root, file)))
}

/** Writes the modules that are older than their source. The compiler leaves such a module if it has seen the source before. */
async function writeOlder(root) {
  const timeOf = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const outputOf = (file) => join(project, 'dist', root, file.replace(/\.ts$/, '.js'))
  const older = sourcesBelow(root).filter(
    (file) => timeOf(outputOf(file)) < timeOf(join(project, root, file)),
  )
  await build({
    absWorkingDir: project,
    entryPoints: older.map((file) => join(root, file)),
    outbase: '.',
    outdir: 'dist',
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
  })
}

function removePointers(root) {
  const folder = join(project, 'dist', root)
  for (const file of filesBelow(folder, '.js')) {
    const text = readFileSync(join(folder, file), 'utf8')
    if (POINTER.test(text)) writeFileSync(join(folder, file), text.replace(POINTER, '\n'))
  }
}

for (const root of ROOTS) removeStale(root)
if (!process.argv.includes('--unchecked')) {
  process.exitCode = compile()
  if (ROOTS.some(somethingMissing)) {
    rmSync(join(project, 'dist', '.tsbuildinfo'), { force: true })
    process.exitCode = compile()
  }
}
for (const root of ROOTS) await writeOlder(root)
if (!withMaps) {
  removePointers(PUBLISHED)
  removeStale(PUBLISHED)
}
