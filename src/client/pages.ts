/** A page of a list; `next` is the cursor of the one after it, absent on the last. */
type Page = { readonly next?: string }

/** A path with what is asked of it; what is undefined is left out. */
export function asking(path: string, query: object): string {
  const given = JSON.parse(JSON.stringify(query)) as Record<string, string>
  return `${path}?${new URLSearchParams(given).toString()}`
}

/** Only the cursor is taken: the address is that of `PUBLIC_URL`, which need not be where this client got in. */
export function pageOf({ headers }: Response): Page {
  const next = new URLSearchParams(headers.get('x-next')?.replace(/^.*\?/, '')).get('cursor')
  return next ? { next } : {}
}

/** This page and all after it, each fetched when it is asked for. */
export async function* pagesOf<Query extends object, P extends Page>(
  list: (query: Query & { cursor?: string }) => Promise<P>,
  query: Query,
): AsyncGenerator<P, void, undefined> {
  let page = await list(query)
  yield page
  while (page.next) yield (page = await list({ ...query, cursor: page.next }))
}
