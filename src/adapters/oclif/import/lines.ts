/** One line of a file of newline-delimited JSON. */
export type Line = {
  /** From 1, empty lines counted. */
  readonly number: number
  /** Without its line end; `undefined` where it is longer than the limit. */
  readonly bytes: Uint8Array | undefined
}

/** The lines that end in one piece of the file. */
export type LinesOfPiece = {
  readonly lines: readonly Line[]
  /** Bytes of the file up to the end of the piece. */
  readonly position: number
}

/** More than any account needs: an email, a hash and a hundred roles. */
export const LINE_MAX_BYTES = 64 * 1024

const NEWLINE = 0x0a

/**
 * Cuts what is read into lines, as many at a time as a piece of the file holds. A line beyond
 * the limit is dropped as it comes, so the memory is that of a piece and a line.
 */
export async function* readLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<LinesOfPiece> {
  const splitter = createSplitter()
  let position = 0
  for await (const piece of pieces) {
    position += piece.length
    yield { lines: splitter.push(piece), position }
  }
  yield { lines: splitter.end(), position }
}

type Splitter = { push(piece: Uint8Array): Line[]; end(): Line[] }

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
    const bytes = size > LINE_MAX_BYTES ? undefined : Buffer.concat(rest)
    rest = []
    size = 0
    number += 1
    return { number, bytes }
  }

  return {
    push(piece) {
      const lines: Line[] = []
      let begin = 0
      for (let end = piece.indexOf(NEWLINE); end !== -1; end = piece.indexOf(NEWLINE, begin)) {
        keep(piece.subarray(begin, end))
        lines.push(take())
        begin = end + 1
      }
      keep(piece.subarray(begin))
      return lines
    },
    end: () => (size === 0 ? [] : [take()]),
  }
}
