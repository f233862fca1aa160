import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build as transpile } from 'esbuild'
import { VERSION } from '../../src/domain/version.js'
import { PROJECT } from '../support/project.js'
import { editNext } from './next-release.js'
import type { Release } from './releases.js'

/** A built version of the program; `folder` contains `bin/app.js` and `dist/src`. */
export type Build = { readonly version: string; readonly folder: string }

/** This checkout. */
export const TODAY: Build = { version: VERSION, folder: PROJECT }

const run = promisify(execFile)
/** The build scripts of releases up to 0.8.0, which run after the compilation. */
const SCRIPTS = ['write-assets', 'manifest', 'bundle']

/** Builds a release from the history of this clone into an empty folder, with the dependencies of this checkout. */
export async function buildRelease(
  { version, commit }: Pick<Release, 'version' | 'commit'>,
  folder: string,
): Promise<Build> {
  const archive = join(folder, 'release.tar')
  await run('git', ['archive', '--output', archive, commit], { cwd: PROJECT }).catch((error: unknown) => {
    const hint = 'a shallow clone gets its history with "git fetch --unshallow"'
    throw new Error(`This clone lacks commit ${commit} of release ${version}: ${hint}.`, { cause: error })
  })
  await run('tar', ['-xf', archive, '-C', folder])
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'))
  const entryPoints = filesIn(join(folder, 'src'), /(?<!\.d)\.ts$/)
  await transpile({
    entryPoints,
    outbase: folder,
    outdir: join(folder, 'dist'),
    absWorkingDir: folder,
    logLevel: 'error',
  })
  for (const script of SCRIPTS)
    await run(process.execPath, [join('scripts', `${script}.js`)], { cwd: folder })
  return { version, folder }
}

const NEXT = '99.0.0'
const STARTER = `import { main } from '../dist/src/program/main.js'\n\nawait main()\n`

/** Copies this checkout's modules into an empty folder, changed into a later release with one more schema step, or with a planted bug. */
export function buildNext(folder: string, bug?: string): Build {
  for (const file of filesIn(join(PROJECT, 'dist', 'src'), /\.js(?:on)?$/))
    cpSync(file, file.replace(PROJECT, folder))
  for (const name of ['package.json', 'templates'])
    cpSync(join(PROJECT, name), join(folder, name), { recursive: true })
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'))
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin', 'app.js'), STARTER)
  editNext(join(folder, 'dist', 'src'), NEXT, bug)
  return { version: NEXT, folder }
}

function filesIn(folder: string, pattern: RegExp): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => pattern.test(name)).map((name) => join(folder, name))
}
