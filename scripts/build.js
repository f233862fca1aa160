// Compiles src, test and bench to dist: esbuild writes the modules of changed sources, and the compiler checks the types and writes the
// declarations. The published modules (dist/src) have no source maps; `--maps` adds them for a debugger or coverage. With `--unchecked` it
// only writes modules, which takes a third of the time.
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { filesBelow, PROJECT } from './files.js'

const ROOTS = ['src', 'test', 'bench']
const hasMaps = (root) => root !== 'src' || process.argv.includes('--maps')

const sourcesBelow = (root) =>
  filesBelow(join(PROJECT, root), '.ts').filter((file) => !file.endsWith('.d.ts'))
const outputsOf = (root, endings) =>
  sourcesBelow(root).flatMap((file) => endings.map((ending) => file.replace(/\.ts$/, ending)))

function compile() {
  const args = ['node_modules/typescript/lib/tsc.js', '-p', 'tsconfig.json', '--emitDeclarationOnly']
  return spawnSync(process.execPath, args, { cwd: PROJECT, stdio: 'inherit' }).status ?? 1
}

/** Writes each module that is older than its source, or whose source map is missing or unwanted. */
async function writeOutdated(root) {
  const timeOf = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const outdated = sourcesBelow(root).filter((file) => {
    const output = join(PROJECT, 'dist', root, file.replace(/\.ts$/, '.js'))
    return timeOf(output) < timeOf(join(PROJECT, root, file)) || existsSync(`${output}.map`) !== hasMaps(root)
  })
  await build({
    absWorkingDir: PROJECT,
    entryPoints: outdated.map((file) => join(root, file)),
    outbase: '.',
    outdir: 'dist',
    sourcemap: hasMaps(root),
    sourcesContent: false,
    logLevel: 'warning',
  })
}

/** Removes the output of deleted sources, so that no deleted test runs, but not the files of `bundle.js` and `write-modules.js`. */
function removeStale(root) {
  const declared = filesBelow(join(PROJECT, root), '.d.ts')
  const others = ['.npmignore', ...declared.flatMap((file) => [file, file.replace(/\.d\.ts$/, '.js')])]
  const endings = ['.js', '.d.ts', ...(hasMaps(root) ? ['.js.map'] : [])]
  const expected = new Set([...outputsOf(root, endings), ...others])
  const folder = join(PROJECT, 'dist', root)
  for (const file of filesBelow(folder, '')) if (!expected.has(file)) rmSync(join(folder, file))
}

function lacksDeclaration(root) {
  return outputsOf(root, ['.d.ts']).some((file) => !existsSync(join(PROJECT, 'dist', root, file)))
}

for (const root of ROOTS) await writeOutdated(root)
for (const root of ROOTS) removeStale(root)
if (!process.argv.includes('--unchecked')) {
  process.exitCode = compile()
  if (ROOTS.some(lacksDeclaration)) {
    // The compiler does not write a missing file again while this record says that it is current.
    rmSync(join(PROJECT, 'dist', '.tsbuildinfo'), { force: true })
    process.exitCode = compile()
  }
}
