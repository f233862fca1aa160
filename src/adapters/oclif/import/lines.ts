/** One line of a file of newline-delimited JSON. */
export type Line = {
  /** From 1, empty lines counted. */
  readonly number: number
  /** Without its line end; `undefined` where it is longer than the limit. */
  readonly bytes: Uint8Array | undefined
}

/** The lines that end in one step through the file. */
export type LinesOfStep = {
  readonly lines: readonly Line[]
  /** Bytes of the file up to the end of the step. */
  readonly position: number
}

/** More than any account needs: an email, a hash and a hundred roles. */
export const LINE_MAX_BYTES = 64 * 1024

const NEWLINE = 0x0a

/** Some 170 accounts: few enough to share one commit and little memory; more are not faster. */
const STEP_BYTES = 32 * 1024

/**
 * Cuts what is read into lines, some at a time. A line beyond the limit is dropped as it comes,
 * so the memory is that of a step and a line.
 */
export async function* readLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<LinesOfStep> {
  const splitter = createSplitter()
  let position = 0
  for await (const piece of pieces) {
    for (let begin = 0; begin < piece.length; begin += STEP_BYTES) {
      const step = piece.subarray(begin, begin + STEP_BYTES)
      position += step.length
      yield { lines: splitter.push(step), position }
    }
  }
  yield { lines: splitter.end(), position }
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
