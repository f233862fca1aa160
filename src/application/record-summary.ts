// Summarizes the records of a store; `copy-store.ts` compares the summaries of both stores.
import type { Digest } from '../ports/system.js'
import type { RecordKind, RecordOf, CopyableRecords } from '../ports/copyable-records.js'
import { pagesOf } from './pages.js'

/** Larger pages are not faster, need more memory, and may be too much for one call to a slow store. */
export const PAGE = 200

export type Summary = { readonly count: number; readonly digest: string }

/** Reads every record once, computes the digest that a copy compares, and reports each page to `advance`. */
export async function summaryOf(
  records: CopyableRecords,
  kind: RecordKind,
  digest: Digest,
  advance: (records: number) => void,
): Promise<Summary> {
  const sum = digest()
  let count = 0
  for await (const page of recordPages(records, kind)) {
    for (const record of page) sum.update(canonical(record))
    count += page.length
    advance(page.length)
  }
  return { count, digest: sum.end() }
}

export function howApart(ours: Summary, theirs: Summary): string {
  return ours.count === theirs.count ? 'their content' : `${ours.count} here, ${theirs.count} there`
}

/** Yields all records of a kind, page by page; with `after`, only the records that follow this record. */
export function recordPages<Kind extends RecordKind>(
  records: CopyableRecords,
  kind: Kind,
  after?: RecordOf[Kind],
): AsyncGenerator<readonly RecordOf[Kind][]> {
  return pagesOf(PAGE, (last: RecordOf[Kind] | undefined) => records.page(kind, last ?? after, PAGE))
}

/** Returns the same string for equal records, regardless of the order of their members. */
function canonical(record: unknown): string {
  return JSON.stringify(record, (_name, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
}
