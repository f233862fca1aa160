import { PIECES } from '../../mutation/pieces.js'
import { equivalentsOf, keptResult } from '../../mutation/results.js'
import { markdownTable } from './table.js'

const HEAD = ['', 'Changes', 'Noticed', '%', 'Named as equivalent']

/** What the mutation tests of each piece came to. */
export function mutantsTable(): string {
  const rows = Object.keys(PIECES).map((piece) => {
    const result = keptResult(piece)
    const named = String(equivalentsOf(piece).length)
    if (!result) return [piece, '–', '–', 'not yet', named]
    const { mutants, killed, timeouts, score } = result
    return [
      piece,
      mutants.toLocaleString('en'),
      (killed + timeouts).toLocaleString('en'),
      String(score),
      named,
    ]
  })
  return markdownTable(HEAD, rows, [1, 4])
}
