import { writeFileSync } from 'node:fs'
import { basename, delimiter, dirname, join } from 'node:path'
import { startReplicaSet } from '../mongodb-faults/mongod.js'
import { freshDatabase, type FreshDatabase } from '../support/mongodb/server.js'
import { freshDatabase as freshPostgres } from '../support/postgresql/server.js'
import { OWNER } from '../support/postgresql/unprivileged.js'
import { withPlanted } from '../support/project.js'
import { itWith, toolPath, type Tool } from '../support/required-tools.js'
import { rotating } from '../support/rotation.js'
import { follow, FOLDERS } from './follow.js'
import { SECTIONS, pagesOf, type Page } from './page.js'

type Follow = (page: Page, folder: string) => Promise<void>

const onPostgres: Follow = async (...page) => await followOn(await freshPostgres(), ...page)

const PAGES: readonly (readonly [name: string, tool: Tool, follow: Follow])[] = [
  ['backup', 'sqlite3', follow],
  ['tls-proxy', 'nginx', followWithNginx],
  ['mongodb', 'mongodb', (...page) => followOn(freshDatabase(), ...page)],
  ['postgresql', 'postgresql', onPostgres],
  ['orders-in-postgresql', 'postgresql', onPostgres],
  ['mongodb-failover', 'mongod', followOnReplicaSet],
  ['postgresql-failover', 'pgbouncer', followWithPostgres],
]

describe('the handbook, with programs that are not installed on every machine', () => {
  const pages = SECTIONS.flatMap(pagesOf)
  for (const [name, tool, followPage] of rotating(PAGES, 2)) {
    for (const folder of FOLDERS)
      itWith(tool, `${name}.md works, twice in a row, in ${folder}`, async () => {
        const page = pages.find(({ path }) => path.endsWith(`/${name}.md`))
        if (!page) throw new Error(`there is no page ${name}`)
        await followPage(page, folder)
      })
  }
})

async function followWithNginx(page: Page, folder: string): Promise<void> {
  const PATH = [dirname(toolPath('nginx')), process.env['PATH']].join(delimiter)
  await follow(page, folder, { PATH })
}

async function followOn(database: FreshDatabase, page: Page, folder: string): Promise<void> {
  try {
    await follow(page, folder, { DATABASE_URL: database.url })
  } finally {
    await database.drop()
  }
}

async function followOnReplicaSet(page: Page, folder: string): Promise<void> {
  await withPlanted({}, async (path) => {
    const set = await startReplicaSet(path, { allElectable: true })
    await follow(page, folder, { DATABASE_URL: freshDatabase(set.url).url }).finally(() => set.stop())
  })
}

async function followWithPostgres(page: Page, folder: string): Promise<void> {
  await withPlanted({}, async (path) => {
    const folders = [unprivilegedPrograms(path), toolPath('postgres'), dirname(toolPath('pgbouncer'))]
    await follow(page, folder, { PATH: [...folders, process.env['PATH']].join(delimiter) })
  })
}

/** Programs that refuse to run as root, or whose files the server must be able to read. */
const PROGRAMS = ['initdb', 'postgres', 'pg_ctl', 'pg_basebackup'] as const

/** If this process runs as root, fills a folder for `PATH` with these programs and pgbouncer, which run as OWNER. Returns the folder. */
function unprivilegedPrograms(folder: string): string {
  const { uid, gid } = OWNER as { readonly uid?: number; readonly gid?: number }
  if (uid === undefined) return folder
  const paths = [...PROGRAMS.map((name) => join(toolPath('postgres'), name)), toolPath('pgbouncer')]
  for (const path of paths) {
    const text = `#!/bin/sh\nexec setpriv --reuid=${uid} --regid=${gid} --clear-groups '${path}' "$@"\n`
    writeFileSync(join(folder, basename(path)), text, { mode: 0o755 })
  }
  return folder
}
