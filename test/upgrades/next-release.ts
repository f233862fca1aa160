import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { VERSION } from '../../src/domain/version.js'
import type { StoreName } from './stores.js'

/** Replaces text in one module; throws if nothing was replaced. */
type Edit = readonly [module: string, change: (text: string) => string]

/** If `mongodb` is missing, the bug does not exist for MongoDB. */
type SchemaStep = { readonly sql: string; readonly mongodb?: string }

const SQLITE = 'adapters/sqlite/schema.js'
const POSTGRESQL = 'adapters/postgresql/schema.js'
const MONGODB = 'adapters/mongodb/schema.js'

/**
 * A schema step that only adds, so that instances of this release can continue. `{accounts}` and the like stand for
 * table names.
 */
const ADDING: Required<SchemaStep> = {
  sql: `
    ALTER TABLE {accounts} ADD COLUMN nickname TEXT NOT NULL DEFAULT 'none';
    ALTER TABLE {sessions} ADD COLUMN opened_with TEXT;
    CREATE TABLE {badges} (id INTEGER NOT NULL PRIMARY KEY, label TEXT NOT NULL);
    CREATE INDEX sessions_by_opened_with ON {sessions} (opened_with) WHERE opened_with IS NOT NULL;`,
  mongodb: `
    await database.accounts.updateMany({}, { $set: { nickname: 'none' } })
    await database.sessions.createIndex({ openedWith: 1 })`,
}

/**
 * Match what a later release changes in a schema module: the end of the steps, the oldest usable version, and where the
 * mark is written.
 */
const AFTER_STEPS = /^(?:export const PLAN|const OLDEST_USABLE)\b/gm
const OLDEST = /(OLDEST_USABLE = |oldestUsable: )\d+/g
const BEFORE_MARK = /^ *if \(version < VERSION\b/gm

type Bug = { readonly step?: SchemaStep; readonly edits?: readonly Edit[] }

/** Bugs in a later release that the campaign must find. */
const BUGS: Readonly<Record<string, Bug>> = {
  // The later release renames a column that this release still reads.
  'drops-a-column': {
    step: { sql: 'ALTER TABLE {sessions} RENAME COLUMN opened_client TO opened_device;' },
    edits: [['adapters/sql/sessions.js', replaced('opened_client', 'opened_device')]],
  },
  'ends-sessions': {
    step: {
      sql: 'UPDATE {accounts} SET epoch = epoch + 1;',
      mongodb: 'await database.accounts.updateMany({}, { $inc: { epoch: 1 } })',
    },
  },
  'new-token-format': {
    edits: [
      [
        'adapters/jose/header.js',
        (text) =>
          replaced(
            'typ: TYPES[kind]',
            'typ: `${TYPES[kind]}2`',
          )(replaced('header["typ"] === TYPES[kind]', 'String(header["typ"]).startsWith(TYPES[kind])')(text)),
      ],
    ],
  },
  'refuses-the-way-back': {
    edits: [
      [SQLITE, replaced(OLDEST, '$1MIGRATIONS.length')],
      [POSTGRESQL, replaced(OLDEST, '$1STEPS.length')],
      [MONGODB, replaced(OLDEST, '$1VERSION')],
    ],
  },
}

export function bugsOn(store: StoreName): readonly string[] {
  const exists = ({ step }: Bug) => store !== 'mongodb' || !step || step.mongodb !== undefined
  return Object.keys(BUGS).filter((name) => exists(BUGS[name] ?? {}))
}

/** Changes the modules in a folder into those of a later release. */
export function editNext(folder: string, version: string, bug?: string): void {
  const { step, edits = [] } = BUGS[bug ?? ''] ?? {}
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
    ...edits,
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
