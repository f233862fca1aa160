import { isUtf8 } from 'node:buffer'
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  type Stats,
} from 'node:fs'
import { dirname } from 'node:path'

/** An open file, whose metadata and content stay consistent even if another file is moved to the same path. */
export type OpenedFile = { readonly stats: Stats; readonly read: () => Buffer }

/** Enough for a blocklist of about 1,500,000 passwords. */
const MAX_BYTES = 16 * 1024 * 1024

/**
 * Opens a file, passes it to `use`, and closes it. Use this function for every file of the configuration: two calls with the same path
 * could open different files, and reading a pipe or a device may never end. Throws an error with a `code`: Node's code, such as `EISDIR` if
 * the path is a directory, `not a regular file`, or `larger than 16 MB`. `/dev/null` counts as an empty file.
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

/** Returns only the error code, because the message repeats the path, which may be a misplaced secret. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
}

/**
 * Creates one folder at a time with mode 0700, because in Node 20, `mkdir` with the option `recursive` never returns for a path below
 * /proc.
 */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

/** The text of a UTF-8 file without its byte-order mark, or, if the file is not UTF-8, the name of its encoding. */
export type Decoded = { readonly text: string } | { readonly text?: never; readonly encoding: string }

const MARKS: readonly (readonly [bytes: readonly number[], encoding: string])[] = [
  [[0xff, 0xfe, 0, 0], 'UTF-32 (little-endian)'],
  [[0, 0, 0xfe, 0xff], 'UTF-32 (big-endian)'],
  [[0xff, 0xfe], 'UTF-16 (little-endian)'],
  [[0xfe, 0xff], 'UTF-16 (big-endian)'],
]

/** Decodes UTF-8 with or without a byte-order mark. A NUL byte indicates UTF-16. */
export function decodeUtf8(bytes: Uint8Array): Decoded {
  const marked = MARKS.find(([mark]) => mark.every((byte, at) => bytes[at] === byte))
  if (marked) return { encoding: marked[1] }
  const nul = bytes.indexOf(0)
  if (nul >= 0) return { encoding: `UTF-16 (${nul % 2 === 1 ? 'little' : 'big'}-endian)` }
  return isUtf8(bytes)
    ? { text: new TextDecoder().decode(bytes) }
    : { encoding: 'Latin-1, Windows-1252 or another 8-bit encoding' }
}
