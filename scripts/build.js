// Compiles src, test and bench to dist: esbuild writes the modules of changed sources, and the compiler checks the types and writes the
// declarations. If an output file is missing, this script removes the compiler's record of it, because the compiler would not write it
// again. It also removes the output of deleted sources, so that no deleted test runs. The package contains no source maps, so the published
// modules (dist/src) have none; `--maps` adds them for a debugger or coverage. With `--unchecked` it only writes modules, which takes a
// third of the time.
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { build } from 'esbuild'
import { filesBelow } from './files.js'

const ROOTS = ['src', 'test', 'bench']
const hasMaps = (root) => root !== 'src' || process.argv.includes('--maps')
const project = join(import.meta.dirname, '..')
const compiler = createRequire(import.meta.url).resolve('typescript/lib/tsc.js')

function compile() {
  const args = [compiler, '-p', 'tsconfig.json', '--emitDeclarationOnly']
  return spawnSync(process.execPath, args, { cwd: project, stdio: 'inherit' }).status ?? 1
}

function outputsOf(root, endings) {
  return sourcesBelow(root).flatMap((file) => endings.map((ending) => file.replace(/\.ts$/, ending)))
}

function sourcesBelow(root) {
  return filesBelow(join(project, root), '.ts').filter((file) => !file.endsWith('.d.ts'))
}

/** Writes each module that is older than its source, or whose source map is missing or unwanted. */
async function writeOutdated(root) {
  const timeOf = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const outdated = sourcesBelow(root).filter((file) => {
    const output = join(project, 'dist', root, file.replace(/\.ts$/, '.js'))
    return timeOf(output) < timeOf(join(project, root, file)) || existsSync(`${output}.map`) !== hasMaps(root)
  })
  await build({
    absWorkingDir: project,
    entryPoints: outdated.map((file) => join(root, file)),
    outbase: '.',
    outdir: 'dist',
    sourcemap: hasMaps(root),
    sourcesContent: false,
    logLevel: 'warning',
  })
}

/** Keeps the files that `bundle.js` and `write-modules.js` write, because these scripts update them. */
function removeStale(root) {
  const declared = filesBelow(join(project, root), '.d.ts')
  const others = ['.npmignore', ...declared.flatMap((file) => [file, file.replace(/\.d\.ts$/, '.js')])]
  const endings = ['.js', '.d.ts', ...(hasMaps(root) ? ['.js.map'] : [])]
  const expected = new Set([...outputsOf(root, endings), ...others])
  const folder = join(project, 'dist', root)
  for (const file of filesBelow(folder, '')) if (!expected.has(file)) rmSync(join(folder, file))
}

function lacksDeclaration(root) {
  return outputsOf(root, ['.d.ts']).some((file) => !existsSync(join(project, 'dist', root, file)))
}

for (const root of ROOTS) await writeOutdated(root)
for (const root of ROOTS) removeStale(root)
if (!process.argv.includes('--unchecked')) {
  process.exitCode = compile()
  if (ROOTS.some(lacksDeclaration)) {
    rmSync(join(project, 'dist', '.tsbuildinfo'), { force: true })
    process.exitCode = compile()
  }
}
