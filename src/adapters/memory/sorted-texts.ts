import { lowerBound } from './ascending.js'

/**
 * Texts in the order of their code units, each once. They lie in pieces, so that adding one among a million moves a
 * thousand and not half of them all.
 */
export type SortedTexts<Text extends string> = {
  /** It must not be there. */
  add(text: Text): void
  /** It must be there. */
  delete(text: Text): void
  /** Those that are not before `first`, ascending. */
  from(first: string): Iterable<Text>
}

const PIECE = 1_000

export function createSortedTexts<Text extends string>(): SortedTexts<Text> {
  /** None is empty. */
  const pieces: Text[][] = []

  /** Of the piece in which this text is or would be the first that is not before it; behind all there may be none. */
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
