import { createReadStream, fstat, open } from 'node:fs'
import { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import type { ImportAtStart } from '../../../application/accounts/import-users.js'
import type { OperatorUseCases } from '../../../application/wiring.js'
import { OPERATOR } from '../../../domain/access/caller.js'
import { OperatorError } from '../../../domain/refusal.js'
import { showProgress, createCommandRetries } from '../progress.js'
import type { Signals } from '../signals.js'
import { canonicalEmail } from '../../../domain/identity/email.js'
import { type IdFile, createImportRecords, type ImportRecord } from './import-records.js'
import { createRecordReader, type ImportOrigin } from './record.js'
import type { ImportReport } from './report.js'
import { createScanner } from './scanners.js'
import { splitRecords } from './split.js'
import { createHash } from 'node:crypto'

const STOPPED = 'Stopped by a signal. Saved accounts are kept; run the same import again to continue.'

export type ImportOptions = {
  readonly report: ImportReport
  readonly signals: Signals
  /** Without an origin, the file is in Kennel's own format. */
  readonly origin?: ImportOrigin | undefined
  readonly dryRun?: boolean
  readonly refusesDuplicates?: boolean
  readonly ids?: IdFile | undefined
}

/**
 * Imports the accounts in a file (`-` means standard input). Rejects with an `OperatorError` if the import fails.
 */
export async function importFile(
  importUsers: OperatorUseCases['importUsers'],
  path: string,
  { report, signals, origin, dryRun, refusesDuplicates = false, ids }: ImportOptions,
): Promise<void> {
  const importUser = importUsers({ caller: OPERATOR, dryRun })
  const { size, pieces } = await openSource(path)
  // A pipe may deliver nothing for hours, so a signal must also end the wait for data.
  void signals.received.then(() => pieces.destroy())
  const progress = await showProgress(size, origin ? 'records' : 'lines')
  const retries = createCommandRetries({ say: (text) => progress.say(text), signals })
  const importRecords = createImportRecords({ importUser, report, retries })
  let count = 0
  try {
    for await (const { records, position } of readRecords(pieces, origin, refusesDuplicates)) {
      await importRecords(records)
      await ids?.add(records)
      count += records.length
      progress.update(position, count)
    }
  } catch (error) {
    throw signals.isReceived() ? new OperatorError([STOPPED]) : sourceError(error)
  } finally {
    progress.stop()
  }
}

async function* readRecords(
  pieces: AsyncIterable<Uint8Array>,
  origin: ImportOrigin | undefined,
  refusesDuplicates: boolean,
): AsyncGenerator<{ readonly records: readonly ImportRecord[]; readonly position: number }> {
  const scanner = createScanner(origin?.source ?? {})
  const read = createRecordReader(origin, scanner.format)
  const checked = refusesDuplicates ? createDuplicateCheck() : undefined
  for await (const { records, position } of splitRecords(pieces, scanner)) {
    const found = records.map((raw) => ({ line: raw.line, object: raw.object, read: read(raw) }))
    yield { records: checked ? found.map(checked) : found, position }
  }
}

function createDuplicateCheck(): (record: ImportRecord) => ImportRecord {
  const findDuplicate = createDuplicateFinder()
  return (record) => {
    const { line, object, read } = record
    const email = read.kind === 'user' ? canonicalEmail(read.user.email) : undefined
    const first = email && findDuplicate(email, object ?? line)
    if (first === undefined) return record
    const place = object === undefined ? 'line' : 'object'
    return { ...record, read: { kind: 'refused', message: `email: already occurs in ${place} ${first}` } }
  }
}

const NAMED_MAX = 20

/**
 * Imports a file before the service replies to any request. A rejected line aborts startup with an error that gives the line number.
 * Otherwise, the service would seem healthy although accounts are missing. The valid lines stay saved.
 */
export function importingFrom(path: string, signals: Signals): ImportAtStart {
  return async (importUsers) => {
    const refused: string[] = []
    const counts = { saved: 0, unchanged: 0, withoutPassword: 0, refused: 0 }
    const report: ImportReport = {
      counts,
      refuse({ line, message }) {
        counts.refused += 1
        if (refused.length < NAMED_MAX) refused.push(`--import: line ${line}: ${message}`)
      },
      written: async () => await Promise.resolve(),
    }
    await importFile(importUsers, path, { report, signals })
    const more = counts.refused - refused.length
    if (counts.refused > 0)
      throw new OperatorError(more > 0 ? [...refused, `--import: ${more} more lines were refused`] : refused)
    return { saved: counts.saved, unchanged: counts.unchanged }
  }
}

type Source = {
  readonly size: number | undefined
  readonly pieces: Readable
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  ENOTDIR: 'it does not exist',
  EACCES: 'this user has no permission to read it',
  EPERM: 'this user may not read it',
  EISDIR: 'it is a folder',
  ELOOP: 'its symbolic links form a loop',
  ENAMETOOLONG: 'its name is too long',
  EIO: 'the disk reported an error',
}

export async function openSource(path: string): Promise<Source> {
  if (path === '-') return { size: undefined, pieces: process.stdin }
  try {
    const fd = await promisify(open)(path, 'r')
    const stats = await promisify(fstat)(fd)
    // Reads a pipe as a socket: with Node's file functions, a read from a silent pipe cannot be canceled and would wait until data arrives.
    if (stats.isFIFO()) return { size: undefined, pieces: new Socket({ fd, writable: false }) }
    return { size: stats.isFile() ? stats.size : undefined, pieces: createReadStream(path, { fd }) }
  } catch (error) {
    throw sourceError(error)
  }
}

/** Converts an error that occurred while opening or reading to an `OperatorError`; returns any other error unchanged. */
export function sourceError(error: unknown): unknown {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return error
  const code = String(error.code)
  return new OperatorError([`The file cannot be read: ${REASONS[code] ?? code}.`])
}

/** Returns the number that was passed when this email was first added. If the email is new, adds it and returns `undefined`. */
export type FindDuplicate = (email: string, number: number) => number | undefined

const WORDS = 4

/**
 * Finds emails that occur twice. Uses 32 to 64 bytes of memory per email: a hash table with linear probing, at most half full, contains 96
 * bits of the SHA-256 digest of each email.
 */
export function createDuplicateFinder(initialSlots = 1024): FindDuplicate {
  let table = new Uint32Array(initialSlots * WORDS)
  let count = 0

  function positionOf(words: Uint32Array): number {
    const slots = table.length / WORDS
    for (let slot = (words[0] as number) % slots; ; slot = (slot + 1) % slots) {
      const at = slot * WORDS
      const isSame = words[0] === table[at] && words[1] === table[at + 1] && words[2] === table[at + 2]
      if (isSame || table[at + 3] === 0) return at
    }
  }

  function grow(): void {
    const former = table
    table = new Uint32Array(former.length * 2)
    for (let at = 0; at < former.length; at += WORDS) {
      const entry = former.subarray(at, at + WORDS)
      if (entry[3] !== 0) table.set(entry, positionOf(entry))
    }
  }

  return (email, number) => {
    if (count * 2 * WORDS >= table.length) grow()
    const digest = createHash('sha256').update(email).digest()
    const words = Uint32Array.of(
      digest.readUInt32LE(0),
      digest.readUInt32LE(4),
      digest.readUInt32LE(8),
      number,
    )
    const at = positionOf(words)
    if (table[at + 3] !== 0) return table[at + 3]
    table.set(words, at)
    count += 1
    return undefined
  }
}
