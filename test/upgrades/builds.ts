import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build as transpile } from 'esbuild'
import { VERSION } from '../../src/domain/version.js'
import { PROJECT } from '../support/project.js'
import type { Release } from './releases.js'

/** A built version of the program; `folder` contains `bin/app.js` and `dist/src`. */
export type Build = { readonly version: string; readonly folder: string }

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

/**
 * Copies this checkout's modules into an empty folder, and changes the copy into a later release with one more schema
 * step, or with a planted bug.
 */
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

/** Replaces text in one module; throws if nothing was replaced. */
type Edit = readonly [module: string, change: (text: string) => string]

type SchemaStep = { readonly sql: string; readonly mongodb: string }

const SQLITE = 'adapters/sqlite/schema.js'
const POSTGRESQL = 'adapters/postgresql/schema.js'
const MONGODB = 'adapters/mongodb/schema.js'

/**
 * A schema step that only adds to the schema, so that instances of this release can continue. `{accounts}` and the like stand for
 * table names.
 */
const ADDING: SchemaStep = {
  sql: `
    ALTER TABLE {accounts} ADD COLUMN nickname TEXT NOT NULL DEFAULT 'none';
    ALTER TABLE {sessions} ADD COLUMN opened_with TEXT;
    CREATE TABLE {badges} (id INTEGER NOT NULL PRIMARY KEY, label TEXT NOT NULL);
    CREATE INDEX sessions_by_opened_with ON {sessions} (opened_with) WHERE opened_with IS NOT NULL;`,
  mongodb: `
    await database.accounts.updateMany({}, { $set: { nickname: 'none' } })
    await database.sessions.createIndex({ openedWith: 1 })`,
}

/** Patterns for the places that a later release changes in a schema module: the end of the steps, and the write of the mark. */
const AFTER_STEPS = /^(?:export const PLAN|const OLDEST_USABLE)\b/gm
const BEFORE_MARK = /^ *if \(version < VERSION\b/gm

/** Bugs that each add a statement to the schema step of the later release. */
const BUGS: Readonly<Record<string, SchemaStep>> = {
  'ends-sessions': {
    sql: 'UPDATE {accounts} SET epoch = epoch + 1;',
    mongodb: 'await database.accounts.updateMany({}, { $inc: { epoch: 1 } })',
  },
}

export const UPGRADE_BUGS = Object.keys(BUGS)

function editNext(folder: string, version: string, bug?: string): void {
  const step = BUGS[bug ?? '']
  const sql = ADDING.sql + (step?.sql ?? '')
  const all: readonly Edit[] = [
    ['domain/version.js', replaced(VERSION, version)],
    [SQLITE, replaced(AFTER_STEPS, `MIGRATIONS.push(${JSON.stringify(sql.replace(/[{}]/g, ''))});\n$&`)],
    [POSTGRESQL, replaced(AFTER_STEPS, `STEPS.push(${JSON.stringify(sql)});\n$&`)],
    [MONGODB, replaced(/VERSION = \d+/g, '$& + 1')],
    [
      MONGODB,
      replaced(BEFORE_MARK, `if (version < VERSION) {${ADDING.mongodb + (step?.mongodb ?? '')}}\n$&`),
    ],
  ]
  for (const [module, change] of all) {
    const path = join(folder, module)
    writeFileSync(path, change(readFileSync(path, 'utf8')))
  }
}

function replaced(from: string | RegExp, to: string): (text: string) => string {
  return (text) => {
    const changed = text.replaceAll(from, to)
    if (changed === text) throw new Error(`no module text ${String(from)} to replace`)
    return changed
  }
}
