import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import type { Stats } from 'node:fs'

/** An open file, whose metadata and content stay consistent even if another file is moved to the same path. */
export type OpenedFile = { readonly stats: Stats; readonly read: () => Buffer }

/**
 * Opens a file, passes it to `use`, and closes it. Use this function for every file that is checked before it is read, because two calls with
 * the path could access two different files. Throws Node's error with its `code`, such as `EISDIR` if the path is a directory. Pipes are
 * rejected with `ESPIPE`, because reading a pipe without a writer would never end.
 */
export function withOpenedFile<T>(path: string, use: (file: OpenedFile) => T): T {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stats = fstatSync(descriptor)
    if (stats.isFIFO()) throw Object.assign(new Error('ESPIPE'), { code: 'ESPIPE' })
    return use({ stats, read: () => readFileSync(descriptor) })
  } finally {
    closeSync(descriptor)
  }
}
