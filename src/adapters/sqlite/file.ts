import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs'
import type { Stats } from 'node:fs'
import { dirname } from 'node:path'
import { refuse, unavailable, unusable } from '../../domain/refusal.js'

const NO_FILE = 'DATABASE_URL names a folder or a device: name a file.'

/**
 * Looks at the path of a database file before it is opened, and returns whether the file exists. Throws a Refusal
 * `incompatible-store` if the path is a folder or a device, and `not-found` if the file does not exist and must not be made:
 * beside a log that holds commits it never is, since SQLite would delete the log.
 */
export function findFile(path: string, mayMake: boolean): boolean {
  const stats = statsOf(path)
  if (stats?.isFile() === false) throw unusable('incompatible-store', NO_FILE)
  if (stats) return true
  if ((statsOf(`${path}-wal`)?.size ?? 0) > 0)
    throw notFound(
      `The database file ${path} does not exist, but its log ${path}-wal holds data: move the file back beside it, ` +
        'or restore a backup and move the log away.',
    )
  if (!mayMake)
    throw notFound(
      `The database file ${path} does not exist: correct DATABASE_URL, or restore a backup. ` +
        'Only for a new, empty store: "store create" or "serve --create" makes the file.',
    )
  return false
}

function notFound(sentence: string) {
  return refuse('not-found', 'NotFound', sentence, sentence)
}

/** `undefined` for a path that leads nowhere; making the file finds the reason. */
function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/**
 * Makes the file, for its owner only, where there is none, and its folder likewise. The files
 * that SQLite puts beside it take their mode from it. Throws a Refusal `unavailable`.
 */
export function makeFile(path: string): void {
  try {
    makeFolder(dirname(path))
    if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) throw new Error('not a regular file')
    // A file that is there is not opened: closing it would take the locks of every connection of this process to it.
    if (existsSync(path)) accessSync(path, constants.R_OK | constants.W_OK)
    else closeSync(openSync(path, 'a', 0o600))
  } catch (error) {
    throw unavailable(`The database file cannot be made or written (${reasonOf(error)}).`, error)
  }
}

/** Throws a Refusal `unavailable` if the file can no longer be written by this process, also on a disk that is read-only now. */
export function assertWritable(path: string): void {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
  } catch (error) {
    throw unavailable(`The database file cannot be written (${reasonOf(error)}).`, error)
  }
}

/** Removes a file of SQLite and those that are beside it. */
export function removeDatabase(path: string): void {
  for (const one of [path, ...COMPANIONS.map((suffix) => `${path}${suffix}`)]) rmSync(one, { force: true })
}

/** The system's code, such as EACCES; its message would hold the path. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason'
  return 'code' in error ? String(error.code) : error.message
}

/** What SQLite has beside an open file: commits that are not in it yet, and what its processes know of each other. */
const COMPANIONS = ['-wal', '-shm']

/**
 * Tells, whenever it is asked, whether the path of an open file and those beside it still lead to the files that they
 * lead to now. SQLite would go on writing to one that was deleted, and acknowledge what no reader finds.
 */
export function watchFile(path: string): () => boolean {
  const companions = COMPANIONS.map((suffix) => `${path}${suffix}`).filter((one) => existsSync(one))
  const watched = [path, ...companions].map((one) => ({ path: one, before: statSync(one) }))
  return () => watched.every(({ path: one, before }) => isSame(one, before))
}

function isSame(path: string, before: Stats): boolean {
  const now = statsOf(path)
  return now?.ino === before.ino && now.dev === before.dev
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
