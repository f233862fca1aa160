import { delimiter, dirname } from 'node:path'
import { startReplicaSet } from '../mongodb-faults/mongod.js'
import { freshDatabase, type FreshDatabase } from '../support/mongodb/server.js'
import { freshDatabase as freshPostgres } from '../support/postgresql/server.js'
import { unprivilegedPrograms } from '../support/postgresql/programs.js'
import { itWith, toolPath, type Tool } from '../support/required-tools.js'
import { rotating } from '../support/rotation.js'
import { makeTemporaryFolder } from '../support/temporary-folder.js'
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
  const { path, remove } = makeTemporaryFolder()
  const set = await startReplicaSet(path, { allElectable: true })
  try {
    await follow(page, folder, { DATABASE_URL: freshDatabase(set.url).url })
  } finally {
    await set.stop()
    remove()
  }
}

async function followWithPostgres(page: Page, folder: string): Promise<void> {
  const { path, remove } = makeTemporaryFolder()
  const folders = [unprivilegedPrograms(path), toolPath('postgres'), dirname(toolPath('pgbouncer'))]
  try {
    await follow(page, folder, { PATH: [...folders, process.env['PATH']].join(delimiter) })
  } finally {
    remove()
  }
}
