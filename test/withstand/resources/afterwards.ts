import { setTimeout as pause } from 'node:timers/promises'
import { connect } from '../../../src/adapters/sqlite/driver.js'
import { setting } from '../../../src/adapters/sqlite/schema.js'
import { descriptorsOf, type RealService } from '../real-service/service.js'
import type { Site } from '../real-service/site.js'

const TRIES = 500
const PAUSE = 20

/** What a process holds. */
export type Holding = { readonly descriptors: number; readonly memory: number }

/** As many descriptors as before, and about as much memory, when all connections are closed. */
export async function expectNoLeak(
  { pid, heap }: RealService,
  { client, violations }: Site,
  { descriptors, memory }: Holding,
): Promise<void> {
  client.close()
  for (let count = 0; count < TRIES && descriptorsOf(pid) > descriptors; count += 1) await pause(PAUSE)
  const open = descriptorsOf(pid)
  if (open > descriptors) violations.push(`it has ${String(open)} descriptors, not ${String(descriptors)}`)
  const held = await heap()
  if (held > memory) violations.push(`its heap has ${String(held)} bytes, not ${String(memory)}`)
}

/** Neither what it has logged nor what it measures holds a secret. */
export async function expectNoSecret(
  { log, metrics }: RealService,
  { secrets, violations }: Site,
): Promise<void> {
  for (const [place, text] of [
    ['the log', log()],
    ['the metrics', await metrics()],
  ] as const) {
    const kind = secrets.foundIn(text)
    if (kind !== undefined) violations.push(`a secret stands in ${place}: ${kind}`)
  }
}

/** What SQLite itself finds in a file. */
export async function expectWhole(database: string, violations: string[]): Promise<void> {
  const connection = await connect(database)
  try {
    const verdict = setting(connection, 'PRAGMA integrity_check')
    if (verdict !== 'ok') violations.push(`the file is damaged: ${String(verdict)}`)
    const orphans = connection.prepare('PRAGMA foreign_key_check').all()
    if (orphans.length > 0) violations.push(`${String(orphans.length)} rows hang on rows that are not there`)
  } finally {
    connection.close()
  }
}
