import type { Digest } from '../ports/digest.js'
import type { RecordKind, RecordOf, CopyableRecords } from '../ports/copyable-records.js'

/** Larger pages are no faster, take more memory, and would be too much for one call of a slow store. */
export const PAGE = 200

/** Number and digest of all records of a kind, in their order. */
export type Summary = { readonly count: number; readonly digest: string }

/** Reads every record once; `advance` is told of each page. */
export async function summaryOf(
  records: CopyableRecords,
  kind: RecordKind,
  digest: Digest,
  advance: (records: number) => void,
): Promise<Summary> {
  const sum = digest()
  let count = 0
  for await (const page of pagesOf(records, kind)) {
    for (const record of page) sum.update(canonical(record))
    count += page.length
    advance(page.length)
  }
  return { count, digest: sum.end() }
}

/** In a few words, for two that differ. */
export function howApart(ours: Summary, theirs: Summary): string {
  return ours.count === theirs.count ? 'their content' : `${ours.count} here, ${theirs.count} there`
}

/** Every record of a kind, after this one where there is one, page by page. */
export async function* pagesOf<Kind extends RecordKind>(
  records: CopyableRecords,
  kind: Kind,
  after?: RecordOf[Kind],
): AsyncGenerator<readonly RecordOf[Kind][]> {
  let page: readonly RecordOf[Kind][] = []
  do {
    page = await records.page(kind, page.at(-1) ?? after, PAGE)
    if (page.length > 0) yield page
  } while (page.length === PAGE)
}

/** One text for equal records, whatever the order of their members. */
function canonical(record: unknown): string {
  return JSON.stringify(record, (_name, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
}
