import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

import { unavailable } from '../../domain/refusal.js'

/**
 * Makes the file, for its owner only, where there is none, and its folder likewise. The files
 * that SQLite puts beside it take their mode from it. Throws a Refusal `unavailable`.
 */
export function makeFile(path: string): void {
  try {
    makeFolder(dirname(path))
    if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) throw new Error('not a regular file')
    closeSync(openSync(path, 'a', 0o600))
  } catch (error) {
    throw unavailable(`The database file cannot be made or written (${reasonOf(error)}).`, error)
  }
}

/** The system's code, such as EACCES; its message would hold the path. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason'
  return 'code' in error ? String(error.code) : error.message
}

/**
 * Tells, whenever it is asked, whether the path still leads to the file that it leads to now.
 * SQLite would go on writing to a file that was deleted, and acknowledge what no reader finds.
 */
export function watchFile(path: string): () => boolean {
  const before = statSync(path)
  return () => {
    try {
      const now = statSync(path)
      return now.ino === before.ino && now.dev === before.dev
    } catch {
      return false
    }
  }
}

/** One step at a time: Node 20 never comes back from a recursive call below /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    const madeByAnother = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    if (!madeByAnother) throw error
  }
}
