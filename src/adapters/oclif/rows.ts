/** A row as it is shown; times as text. What is undefined has a column in a table, and is left out elsewhere. */
export type Row = Readonly<Record<string, string | number | null | undefined | readonly string[]>>

const PAGE = 500

/** Asks for page after page until one is short, so that a list of any length needs the memory of a page. */
export async function* eachPage<T>(
  ask: (page: { after: T | undefined; limit: number }) => Promise<readonly T[]>,
): AsyncGenerator<readonly T[]> {
  let page: readonly T[] = []
  do {
    page = await ask({ after: page.at(-1), limit: PAGE })
    yield page
  } while (page.length === PAGE)
}

/** A moment as lists show it, in UTC. */
export function shownInstant(instant: number | undefined): string | null {
  return instant === undefined ? null : new Date(instant).toISOString()
}
