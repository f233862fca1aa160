import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs'
import type { Stats } from 'node:fs'
import { dirname } from 'node:path'
import { refuse, unavailable, unusable } from '../../domain/refusal.js'

const NO_FILE = 'DATABASE_URL names a folder or a device: name a file.'

/**
 * Returns whether the database file exists. Throws a Refusal `incompatible-store` for a folder or a device, and
 * `not-found` if the file is missing and must not be created. No file may be created next to a log with
 * commits, because SQLite would delete that log.
 */
export function findFile(path: string, mayMake: boolean): boolean {
  const stats = statsOf(path)
  if (stats?.isFile() === false) throw unusable('incompatible-store', NO_FILE)
  if (stats) return true
  if ((statsOf(`${path}-wal`)?.size ?? 0) > 0)
    throw notFound(
      `The database file ${path} does not exist, but its log ${path}-wal holds data: move the file back to its log, ` +
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

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/**
 * Creates a missing file, readable for its owner only, and its folder. SQLite gives companion files the same
 * mode. Throws a Refusal `unavailable`.
 */
export function makeFile(path: string): void {
  try {
    makeFolder(dirname(path))
    if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) throw new Error('not a regular file')
    // An existing file is not opened: closing it would release all locks of this process on it.
    if (existsSync(path)) accessSync(path, constants.R_OK | constants.W_OK)
    else closeSync(openSync(path, 'a', 0o600))
  } catch (error) {
    throw unavailable(`The database file cannot be made or written (${reasonOf(error)}).`, error)
  }
}

/** Throws a Refusal `unavailable` if this process can no longer write the file. */
export function assertWritable(path: string): void {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
  } catch (error) {
    throw unavailable(`The database file cannot be written (${reasonOf(error)}).`, error)
  }
}

/** Removes a database file and its companions. */
export function removeDatabase(path: string): void {
  for (const one of [path, ...COMPANIONS.map((suffix) => `${path}${suffix}`)]) rmSync(one, { force: true })
}

/** The code of the system, such as EACCES: its message would hold the path. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason'
  return 'code' in error ? String(error.code) : error.message
}

/** The log, and the memory that processes share. */
const COMPANIONS = ['-wal', '-shm']

/**
 * Returns a function that checks whether the paths of an open file and its companions still lead to the same
 * files: SQLite would continue to write to a deleted file and acknowledge lost data.
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

/** Not `recursive`, which never returns below /proc in Node 20. */
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
