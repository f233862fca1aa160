import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'

import { openDatabase } from '../../src/adapters/sqlite/database.js'
import { connect } from '../../src/adapters/sqlite/driver.js'
import { openSqlite } from '../../src/adapters/sqlite/store.js'
import { startProcess } from '../support/several-processes/other-process.js'
import {
  makeChange,
  readEverything,
  sessionsAmong,
  storeChanges,
  uncachedPorts,
} from '../support/sqlite-changes.js'
import { makeTemporaryFolder } from '../support/temporary-folder.js'

export type StaleReport = {
  readonly rounds: number
  /** The number of complete reads while the other process worked. */
  readonly reads: number
  /** The number of active sessions in the compared reads. */
  readonly sessions: number
  /** The changes after which a cached read was older than the file. */
  readonly stale: readonly string[]
}

/**
 * Another process makes `rounds` random changes of one file. Meanwhile this process reads everything, refreshes sessions
 * and logs in and out. After each acknowledged change, cached reads are compared with reads without a cache.
 */
export async function staleReads(rounds: number, seed: number): Promise<StaleReport> {
  const folder = makeTemporaryFolder()
  const path = join(folder.path, 'app.db')
  const [store, database] = [await openSqlite(path), await openDatabase(path)]
  const writer = await startProcess('alter', path)
  const own = { store, sql: await connect(path) }
  const reference = uncachedPorts(database)
  const stale: string[] = []
  let [reads, sessions] = [0, 0]

  async function work(): Promise<void> {
    reads += 1
    await Promise.all([
      readEverything(store),
      makeChange(own, ['rotate', reads]),
      makeChange(own, ['logInAndOut', reads]),
    ])
  }

  async function workUntil(promise: Promise<unknown>): Promise<void> {
    let running = 1
    const stop = () => (running = 0)
    void promise.then(stop, stop)
    while (running > 0) await work()
    await promise
  }

  try {
    await writer.ask('fill')
    for (const change of storeChanges(seed, rounds)) {
      const text = JSON.stringify(change)
      await workUntil(writer.ask(text))
      const cached = await readEverything(store)
      sessions += sessionsAmong(cached)
      if (!isDeepStrictEqual(cached, await readEverything(reference))) stale.push(text)
    }
    return { rounds, reads, sessions, stale }
  } finally {
    await writer.end()
    own.sql.close()
    await Promise.all([store.close(), database.close()])
    folder.remove()
  }
}

/** When run as a script, its argument is the number of rounds, 10,000 by default; the exit status is 1 if a read was stale. */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const seed = Number(process.argv[3] ?? Date.now() % 2 ** 32)
  const report = await staleReads(Number(process.argv[2] ?? 10_000), seed)
  console.log(JSON.stringify({ seed, ...report }))
  process.exitCode = report.stale.length === 0 ? 0 : 1
}
