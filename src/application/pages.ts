/**
 * Yields page after page until a page is shorter than `size`; an empty page is omitted. `read` receives the last item of the previous page.
 */
export async function* pagesOf<Item>(
  size: number,
  read: (last: Item | undefined) => Promise<readonly Item[]>,
): AsyncGenerator<readonly Item[]> {
  let page: readonly Item[] = []
  do {
    page = await read(page.at(-1))
    if (page.length > 0) yield page
  } while (page.length === size)
}

/** Yields the same pages, with `change` applied to each item. */
export async function* changedPages<Item, Changed>(
  pages: AsyncIterable<readonly Item[]>,
  change: (item: Item) => Changed,
): AsyncGenerator<readonly Changed[]> {
  for await (const page of pages) yield page.map(change)
}
