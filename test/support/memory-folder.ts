import { statfsSync } from 'node:fs'

const IN_MEMORY = '/dev/shm'
/** A MongoDB server makes files of 100 MB before it has any data. */
const ENOUGH = 4 * 2 ** 30

/** Where files are kept in memory, if there is such a place and it has room: tests wait half their time for a disk. */
export function memoryFolder(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    return bavail * bsize >= ENOUGH ? IN_MEMORY : undefined
  } catch {
    return undefined
  }
}
