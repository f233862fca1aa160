import { mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const IN_MEMORY = '/dev/shm'
/** A MongoDB server creates files of 100 MB before it stores any data, and a PostgreSQL server creates 40 MB. */
const ENOUGH = 4 * 2 ** 30

/** Returns a folder in memory if there is enough free memory. On a disk, tests would spend half of their time waiting. */
export function memoryFolder(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    return bavail * bsize >= ENOUGH ? IN_MEMORY : undefined
  } catch {
    return undefined
  }
}

/** A folder for the data of a database server that is never killed; the folder is removed when the server stops. */
export function dataFolder(): string {
  return mkdtempSync(join(memoryFolder() ?? tmpdir(), 'kennel-data-'))
}
