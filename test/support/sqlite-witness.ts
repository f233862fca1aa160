import { copyFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { openDatabase } from '../../src/adapters/sqlite/database.js'
import { connect } from '../../src/adapters/sqlite/driver.js'
import { openSqlite } from '../../src/adapters/sqlite/store.js'
import { makeChange, readEverything, uncachedPorts, type StoreChange } from './sqlite-changes.js'

export type Witness = Awaited<ReturnType<typeof openWitness>>

/** Opens a store on one file, whose cached reads are compared with reads of the file without a cache. */
export async function openWitness(path: string) {
  const [store, sql, database] = [await openSqlite(path), await connect(path), await openDatabase(path)]
  const reference = uncachedPorts(database)
  return {
    change: (change: StoreChange): Promise<unknown> => makeChange({ store, sql }, change),
    /** Returns the cached results that differ from the file, each with the result from the file. */
    staleAnswers: async (): Promise<unknown> => {
      const [cached, inFile] = [await readEverything(store), await readEverything(reference)]
      return cached
        .map((answer, index) => [answer, inFile[index]])
        .filter(([answer, expected]) => !isDeepStrictEqual(answer, expected))
    },
    close: async (): Promise<unknown> => {
      sql.close()
      return await Promise.all([store.close(), database.close()])
    },
  }
}

/**
 * Ways to copy a file that is open in stores, and to restore the file from the copy: `pages` works like `.backup` and
 * `.restore` of `sqlite3`, and `files` works like a snapshot of the file system.
 */
export const COPY_METHODS = ['pages', 'files'] as const

export type CopyMethod = (typeof COPY_METHODS)[number]

/**
 * Must run in a process without stores, because closing a file's descriptor releases all locks of the process on the
 * file.
 */
export async function copyOpenFile(method: CopyMethod, from: string, to: string): Promise<void> {
  if (method === 'files') {
    for (const suffix of ['', '-wal', '-shm']) copyFileSync(`${from}${suffix}`, `${to}${suffix}`)
    return
  }
  // Node 22.13 has no `backup`.
  const { backup, DatabaseSync } = await import('@photostructure/sqlite')
  const source = new DatabaseSync(from)
  await backup(source, to)
  source.close()
}
