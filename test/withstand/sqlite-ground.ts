import { join } from 'node:path'
import { openSqlite } from '../../src/adapters/sqlite/store.js'
import { integrityOf } from '../durability/old-file.js'
import { makeTemporaryFolder } from '../support/temporary-folder.js'
import type { Ground } from './failure-campaign.js'
import { PROCESS_KILLS } from './process-kills.js'

/** One SQLite file with a service that is killed. */
export async function openSqliteGround(): Promise<Ground> {
  const { path: folder, remove } = makeTemporaryFolder()
  const path = join(folder, 'app.db')
  await (await openSqlite(path)).close()
  return {
    ...sqliteGround(path),
    failures: PROCESS_KILLS,
    close: () => {
      remove()
      return Promise.resolve()
    },
  }
}

/** Opens an existing file; `damages` returns the errors that its integrity check finds. */
export function sqliteGround(path: string): Pick<Ground, 'url' | 'open' | 'damages'> {
  return {
    url: `sqlite:${path}`,
    open: () => openSqlite(path),
    damages: async () => {
      const verdict = await integrityOf(path)
      return verdict === 'ok' ? [] : [`PRAGMA integrity_check: ${verdict}`]
    },
  }
}
