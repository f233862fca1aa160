import { accessSync, closeSync, constants, existsSync, openSync, rmSync, statSync } from 'node:fs'
import type { Stats } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from '../../configuration/opened-file.js'
import { refuse, unavailable, unusable } from '../../domain/refusal.js'

const NO_FILE = 'DATABASE_URL is the path of a folder or a device: set it to the path of a file.'

/**
 * Returns whether the database file exists. Throws an `incompatible-store` Refusal if the path is a directory or a device, and a
 * `not-found` Refusal if the file is missing and must not be created. Never create a database file next to a write-ahead log that contains
 * commits, because SQLite would delete that log.
 */
export function findFile(path: string, mayMake: boolean): boolean {
  const stats = statsOf(path)
  if (stats?.isFile() === false) throw unusable('incompatible-store', NO_FILE)
  if (stats) return true
  if ((statsOf(`${path}-wal`)?.size ?? 0) > 0)
    throw notFound(
      `The database file ${path} does not exist, but its log ${path}-wal contains data: move the file back next to its log, ` +
        'or restore a backup and move the log away.',
    )
  if (!mayMake)
    throw notFound(
      `The database file ${path} does not exist: correct DATABASE_URL, or restore a backup. ` +
        'For a new, empty store only: "store create" or "serve --create" creates the file.',
    )
  return false
}

function notFound(sentence: string) {
  return refuse('not-found', 'NotFound', sentence, sentence)
}

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/**
 * Creates a missing file, readable only by its owner, and the file's directory. SQLite creates the companion files with the same mode.
 * Throws an `unavailable` Refusal if the file cannot be created or written.
 */
export function makeFile(path: string): void {
  try {
    makeFolder(dirname(path))
    if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) throw new Error('not a regular file')
    // An existing file is not opened, because closing it would release all of this process's locks on the file.
    if (existsSync(path)) accessSync(path, constants.R_OK | constants.W_OK)
    else closeSync(openSync(path, 'a', 0o600))
  } catch (error) {
    throw unavailable(`The database file cannot be created or written to (${reasonOf(error)}).`, error)
  }
}

/** Throws an `unavailable` Refusal if this process can no longer write to the file. */
export function assertWritable(path: string): void {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
  } catch (error) {
    throw unavailable(`The database file cannot be written (${reasonOf(error)}).`, error)
  }
}

export function removeDatabase(path: string): void {
  for (const one of [path, ...COMPANIONS.map((suffix) => `${path}${suffix}`)]) rmSync(one, { force: true })
}

/** Returns the system error code, such as EACCES, because the error message would contain the path. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason'
  return 'code' in error ? String(error.code) : error.message
}

const COMPANIONS = ['-wal', '-shm']

/** Checks that an open file and its companions are still at their paths, because SQLite would acknowledge writes to a deleted file. */
export function watchFile(path: string): () => boolean {
  const companions = COMPANIONS.map((suffix) => `${path}${suffix}`).filter((one) => existsSync(one))
  const watched = [path, ...companions].map((one) => ({ path: one, before: statSync(one) }))
  return () => watched.every(({ path: one, before }) => isSame(one, before))
}

function isSame(path: string, before: Stats): boolean {
  const now = statsOf(path)
  return now?.ino === before.ino && now.dev === before.dev
}
