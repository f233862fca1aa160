import { mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const IN_MEMORY = '/dev/shm'
/** A server makes files of 100 MB before it has any data. */
const ENOUGH = 4 * 2 ** 30

/**
 * A folder for the data of a server that is not killed, in memory where there is room: half the
 * time of the laws is else spent waiting for the disk. The server takes it away when it stops.
 */
export function dataFolder(): string {
  return mkdtempSync(join(hasRoom() ? IN_MEMORY : tmpdir(), 'kennel-mongo-'))
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    return bavail * bsize >= ENOUGH
  } catch {
    return false
  }
}
