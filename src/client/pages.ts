type Page = { readonly next?: string }

/** Returns the path with the query parameters that are not `undefined`. */
export function withQuery(path: string, query: object): string {
  const parameters = JSON.parse(JSON.stringify(query)) as Record<string, string>
  return `${path}?${new URLSearchParams(parameters).toString()}`
}

/** Reads only the cursor from the link: the link begins with `PUBLIC_URL`, but this client may use a different address. */
export function pageOf({ headers }: Response): Page {
  const next = new URLSearchParams(headers.get('x-next')?.replace(/^.*\?/, '')).get('cursor')
  return next ? { next } : {}
}

/** This page and all later pages, each fetched on demand. */
export async function* pagesOf<Query extends object, P extends Page>(
  list: (query: Query & { cursor?: string }) => Promise<P>,
  query: Query,
): AsyncGenerator<P, void, undefined> {
  let page = await list(query)
  yield page
  while (page.next) yield (page = await list({ ...query, cursor: page.next }))
}
