/** A row as it is shown; times as text. What is undefined has a column in a table, and is left out elsewhere. */
export type Row = Readonly<Record<string, string | number | null | undefined | readonly string[]>>

const PAGE = 500

/**
 * Asks for page after page until one is short or `most` rows were given, so that a list of any length needs the
 * memory of a page.
 */
export async function* eachPage<T>(
  input: (page: { after: T | undefined; limit: number }) => Promise<readonly T[]>,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<readonly T[]> {
  let page: readonly T[] = []
  for (let left = most; left > 0; left -= page.length) {
    const limit = Math.min(PAGE, left)
    page = await input({ after: page.at(-1), limit })
    yield page
    if (page.length < limit) return
  }
}

/** A moment as lists show it, in UTC. */
export function shownInstant(instant: number | undefined): string | null {
  return instant === undefined ? null : new Date(instant).toISOString()
}
