import { createReadStream, fstat, open } from 'node:fs'
import { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { OperatorError } from '../../../domain/operator-error.js'

/** What is imported, as it is read. */
export type Source = {
  /** Bytes in all; `undefined` for a pipe. */
  readonly size: number | undefined
  readonly pieces: Readable
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  ENOTDIR: 'it does not exist',
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
  EISDIR: 'it is a folder',
  ELOOP: 'its symbolic links lead round in a circle',
  ENAMETOOLONG: 'its name is too long',
  EIO: 'the disk reported an error',
}

/** `-` is standard input. Rejects with a `OperatorError`. */
export async function openSource(path: string): Promise<Source> {
  if (path === '-') return { size: undefined, pieces: process.stdin }
  try {
    const fd = await promisify(open)(path, 'r')
    const stats = await promisify(fstat)(fd)
    // As a file, a pipe that gives nothing could not be given up: the read would go on until something comes.
    if (stats.isFIFO()) return { size: undefined, pieces: new Socket({ fd, writable: false }) }
    return { size: stats.isFile() ? stats.size : undefined, pieces: createReadStream(path, { fd }) }
  } catch (error) {
    throw sourceError(error)
  }
}

/** The error of opening or reading, in a sentence; any other error as it came. */
export function sourceError(error: unknown): unknown {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return error
  const code = String(error.code)
  return new OperatorError([`The file cannot be read: ${REASONS[code] ?? code}.`])
}
