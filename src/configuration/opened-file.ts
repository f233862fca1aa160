import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import type { Stats } from 'node:fs'

/** An open file, whose metadata and content belong together even if another file gets its name. */
export type OpenedFile = { readonly stats: Stats; readonly read: () => Buffer }

/**
 * Opens a file, and closes it after `use`. Use this for every file that is checked before it is read: two calls with the
 * path could find two different files. Throws the error of Node with its `code`, such as `EISDIR` when a folder is read.
 * A pipe is refused (`ESPIPE`), because it may never have a writer.
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
