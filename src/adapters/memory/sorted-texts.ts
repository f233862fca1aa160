import { lowerBound } from './ascending.js'

/**
 * Distinct texts in the order of code units. They are kept in pieces, so that an insert among a million texts
 * moves a thousand.
 */
export type SortedTexts<Text extends string> = {
  add(text: Text): void
  delete(text: Text): void
  /** All texts that are not less than `first`, ascending. */
  from(first: string): Iterable<Text>
}

const PIECE = 1_000

export function createSortedTexts<Text extends string>(): SortedTexts<Text> {
  const pieces: Text[][] = []

  /** The first piece with a text that is not less than this text; possibly behind the last piece. */
  function indexOf(text: string): number {
    return lowerBound(pieces, (piece) => (piece.at(-1) ?? '') >= text)
  }

  return {
    add(text) {
      const index = Math.min(indexOf(text), pieces.length - 1)
      const piece = pieces[index]
      if (!piece) {
        pieces.push([text])
        return
      }
      piece.splice(placeOf(piece, text), 0, text)
      if (piece.length > PIECE) pieces.splice(index, 1, piece.slice(0, PIECE / 2), piece.slice(PIECE / 2))
    },
    delete(text) {
      const index = indexOf(text)
      const piece = pieces[index] ?? []
      piece.splice(placeOf(piece, text), 1)
      if (piece.length === 0) pieces.splice(index, 1)
    },
    *from(first) {
      for (let index = indexOf(first); index < pieces.length; index += 1) {
        const piece = pieces[index] ?? []
        yield* piece.slice(placeOf(piece, first))
      }
    },
  }
}

function placeOf(piece: readonly string[], text: string): number {
  return lowerBound(piece, (one) => one >= text)
}
