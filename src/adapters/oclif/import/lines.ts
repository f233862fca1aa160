/** One line of a file of newline-delimited JSON. */
export type Line = {
  /** Line number, starting at 1; empty lines count. */
  readonly number: number
  /** The bytes of the line without its line break; `undefined` if the line is longer than the limit. */
  readonly bytes: Uint8Array | undefined
}

/** The lines that end within one step of reading the file, at most `STEP_LINES` lines. */
export type LinesOfStep = {
  readonly lines: readonly Line[]
  /** Number of bytes from the start of the file to the end of the step. */
  readonly position: number
}

/** Maximum line length: more than any account needs for an email, a hash and a hundred roles. */
export const LINE_MAX_BYTES = 64 * 1024

const NEWLINE = 0x0a

/**
 * Maximum number of lines in a step: large enough that many lines share one commit, but small enough for a slow store; larger steps are not
 * faster.
 */
export const STEP_LINES = 200
/** Maximum size of a step, enough for about 170 accounts with hashes; it limits memory use even if the lines are long. */
const STEP_BYTES = 32 * 1024

/**
 * Splits the chunks of a file into lines, one step at a time. A line that exceeds the limit is discarded while it arrives, so at any time
 * only one step of the file and one line are in memory.
 */
export async function* readLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<LinesOfStep> {
  const splitter = createSplitter()
  let position = 0
  for await (const piece of pieces) {
    for (let begin = 0; begin < piece.length;) {
      const step = stepAt(piece, begin)
      begin += step.length
      position += step.length
      yield { lines: splitter.push(step), position }
    }
  }
  yield { lines: splitter.end(), position }
}

/** Returns the bytes from `begin` onward, limited to `STEP_LINES` lines and `STEP_BYTES` bytes. */
function stepAt(piece: Uint8Array, begin: number): Uint8Array {
  const bytes = piece.subarray(begin, begin + STEP_BYTES)
  let size = 0
  for (let lines = 0; lines < STEP_LINES; lines += 1) {
    const end = bytes.indexOf(NEWLINE, size)
    if (end === -1) return bytes
    size = end + 1
  }
  return bytes.subarray(0, size)
}

type Splitter = { push(step: Uint8Array): Line[]; end(): Line[] }

function createSplitter(): Splitter {
  let rest: Uint8Array[] = []
  let size = 0
  let number = 0

  function keep(part: Uint8Array): void {
    size += part.length
    if (size > LINE_MAX_BYTES) rest = []
    else if (part.length > 0) rest.push(part)
  }

  function take(): Line {
    const whole = rest.length === 1 ? rest[0] : Buffer.concat(rest)
    const bytes = size > LINE_MAX_BYTES ? undefined : whole
    rest = []
    size = 0
    number += 1
    return { number, bytes }
  }

  return {
    push(step) {
      const lines: Line[] = []
      let begin = 0
      for (let end = step.indexOf(NEWLINE); end !== -1; end = step.indexOf(NEWLINE, begin)) {
        keep(step.subarray(begin, end))
        lines.push(take())
        begin = end + 1
      }
      keep(step.subarray(begin))
      return lines
    },
    end: () => (size === 0 ? [] : [take()]),
  }
}
