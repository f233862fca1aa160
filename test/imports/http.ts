/** Sends JSON. Returns the body of the reply, parsed if it is JSON; rejects unless the request succeeds. */
export async function call(
  method: string,
  url: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const isForm = body === undefined || body instanceof URLSearchParams
  const reply = await fetch(url, {
    method,
    headers: { ...headers, ...(!isForm && { 'Content-Type': 'application/json' }) },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${method} ${url}: ${reply.status} ${text}`)
  return reply.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : text
}

type Page = { readonly url: string; readonly text: string }

/** Emulates a browser without scripts: keeps cookies, and follows redirects until one leads to `end`. */
export function createBrowser(end: string) {
  const cookies = new Map<string, string>()
  const open = async (url: string, body?: URLSearchParams): Promise<Page> => {
    const headers = { Cookie: Array.from(cookies, (pair) => pair.join('=')).join('; ') }
    const reply = await fetch(url, { redirect: 'manual', headers, ...(body && { method: 'POST', body }) })
    for (const line of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const location = reply.headers.get('location')
    if (location === null || location.startsWith(end))
      return { url: location ?? url, text: await reply.text() }
    return await open(new URL(location, url).href)
  }
  /** Submits the first form of a page. */
  const submit = async ({ url, text }: Page, fields: Readonly<Record<string, string>>) => {
    const action = /<form[^>]*\saction="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&')
    if (action === undefined) throw new Error(`no form at ${url}: ${text}`)
    return await open(new URL(action, url).href, new URLSearchParams(fields))
  }
  return { open, submit }
}
