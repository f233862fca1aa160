import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import type { Stats } from 'node:fs'

/** An open file, whose metadata and content stay consistent even if another file is moved to the same path. */
export type OpenedFile = { readonly stats: Stats; readonly read: () => Buffer }

/** Enough for a blocklist of about 1,500,000 passwords. */
const MAX_BYTES = 16 * 1024 * 1024

/**
 * Opens a file, passes it to `use`, and closes it. Use this function for every file of the configuration: two calls with a path could access
 * two different files, and reading a pipe or a device may never end. Throws an error with a `code`: Node's code, such as `EISDIR` if the
 * path is a directory, `not a regular file`, or `larger than 16 MB`. `/dev/null` counts as an empty file.
 */
export function withOpenedFile<T>(path: string, use: (file: OpenedFile) => T): T {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stats = fstatSync(descriptor)
    const isEmptyDevice = () => stats.isCharacterDevice() && readSync(descriptor, Buffer.alloc(1)) === 0
    if (!stats.isFile() && !stats.isDirectory() && !isEmptyDevice()) throw unreadable('not a regular file')
    if (stats.size > MAX_BYTES) throw unreadable('larger than 16 MB')
    return use({ stats, read: () => readFileSync(descriptor) })
  } finally {
    closeSync(descriptor)
  }
}

function unreadable(code: string): Error {
  return Object.assign(new Error(code), { code })
}
