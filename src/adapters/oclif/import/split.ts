import { BYTE, INSIDE, NEXT, OUTSIDE, RECORD_NOUNS, type Scanner } from './scanners.js'

export type RawRecord = {
  /** The number of the line in which the record begins, starting at 1. */
  readonly line: number
  /** The number of the object within a JSON array, starting at 1. */
  readonly object?: number | undefined
  readonly content: Uint8Array | string
}

export type RecordsOfStep = {
  readonly records: readonly RawRecord[]
  /** Number of bytes from the start of the file to the end of this step. */
  readonly position: number
}

/** Maximum length of a record: enough for any account, even for one with a small picture. */
export const RECORD_MAX_BYTES = 256 * 1024

/**
 * Maximum number of records in a step: large enough that many records share one commit, but small enough for a slow store; larger steps are
 * not faster.
 */
export const STEP_RECORDS = 200
/** Maximum size of a step, enough for about 170 accounts with hashes; it limits memory use even for long records. */
const STEP_BYTES = 32 * 1024

/**
 * Splits the chunks of a file into records, one step at a time. A record that exceeds the limit is discarded while it arrives, so memory
 * never holds more than one step of the file and one record. Rejects with an `OperatorError` if the file has no records of this format.
 */
export async function* splitRecords(
  pieces: AsyncIterable<Uint8Array>,
  scanner: Scanner,
): AsyncGenerator<RecordsOfStep> {
  const splitter = createSplitter(scanner)
  let position = 0
  for await (const piece of pieces) {
    for (let begin = 0; begin < piece.length;) {
      const { records, length } = splitter.push(piece.subarray(begin, begin + STEP_BYTES))
      begin += length
      position += length
      yield { records, position }
    }
  }
  yield { records: splitter.end(), position }
}

function createSplitter(scanner: Scanner) {
  let kept: Uint8Array[] = []
  let size = 0
  let line = 1
  let firstLine: number | undefined
  let count = 0

  function keep(part: Uint8Array): void {
    size += part.length
    if (size > RECORD_MAX_BYTES) kept = []
    else if (part.length > 0) kept.push(part)
  }

  function content(): Uint8Array | string {
    if (size > RECORD_MAX_BYTES)
      return `the ${RECORD_NOUNS[scanner.format()]} is longer than ${RECORD_MAX_BYTES} bytes`
    return kept.length === 1 && kept[0] ? kept[0] : Buffer.concat(kept)
  }

  function take(error?: string): RawRecord {
    count += 1
    const record = {
      line: firstLine ?? line,
      ...(scanner.format() === 'array' && { object: count }),
      content: error ?? content(),
    }
    kept = []
    size = 0
    firstLine = undefined
    return record
  }

  /** Returns the records that end in the step, and the number of bytes that were read. */
  function push(step: Uint8Array): { records: readonly RawRecord[]; length: number } {
    const records: RawRecord[] = []
    let from = 0
    let at = 0
    for (; at < step.length && records.length < STEP_RECORDS; at += 1) {
      const byte = step[at] as number
      const kind = scanner.next(byte)
      if (kind === INSIDE) firstLine ??= line
      else {
        keep(step.subarray(from, at))
        from = kind === NEXT ? at : at + 1
        if (kind !== OUTSIDE) records.push(take())
        if (kind === NEXT) firstLine = line
      }
      if (byte === BYTE.newline) line += 1
    }
    keep(step.subarray(from, at))
    return { records, length: at }
  }

  function end(): readonly RawRecord[] {
    const error = scanner.end()
    return size > 0 || error !== undefined ? [take(error)] : []
  }

  return { push, end }
}
