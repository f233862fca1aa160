/** Entry point `kennel-id/pages`: the ready-made pages for users, for the routes of a custom host. */
import type { EndpointParts } from '../endpoint.js'
import { pages } from '../endpoints/pages.js'
import type { Exchange } from '../message.js'
import type { OfferedHttpUseCases, HttpSettings } from '../parts.js'
import { HttpError } from '../reply/failure.js'
import { fixedHeaders, mergedHeaders } from '../reply/reply-headers.js'
import { createRoutes } from '../routes.js'

/** A page, a file of the pages, or a redirect. The host sends the reply unchanged. */
export type PageReply = {
  readonly status: number
  /** All headers, including `Content-Type` and `Content-Security-Policy`. */
  readonly headers: Record<string, string>
  readonly body: string | ReturnType<InstanceType<typeof TextEncoder>['encode']>
}

/**
 * Resolves with the reply to a GET or HEAD request, or with `undefined` if there is no such page. `path` is the path below the base path of
 * the pages, such as `/login`. A file is compressed if `acceptEncoding`, the request header, permits it.
 */
export type Pages = (path: string, acceptEncoding?: string | null) => Promise<PageReply | undefined>

/**
 * Serves the ready-made pages from a custom host's routes, under any path on the origin of the HTTP interface. The pages show what the
 * permissions of this Kennel instance permit, with the texts in `pagesTexts`. `api` is the path at which the handler is mounted, such as
 * `/kennel`, or an empty string; by default, the base path of the pages. For links in emails, set the options `resetUrl` and `confirmUrl`
 * of `openKennel`.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import type { Kennel } from 'kennel-id'
 * import { createPages } from 'kennel-id/pages'
 *
 * declare const kennel: Kennel
 *
 * const pages = createPages(kennel)
 * createServer(async ({ url = '/', headers }, response) => {
 *   const { pathname } = new URL(url, 'http://localhost')
 *   const page = await pages(pathname, headers['accept-encoding'])
 *   if (page) response.writeHead(page.status, page.headers).end(page.body)
 *   else response.writeHead(404).end()
 * })
 * ```
 */
export function createPages(
  kennel: OfferedHttpUseCases & { readonly httpSettings: HttpSettings },
  { api }: { readonly api?: string } = {},
): Pages {
  const settings = { ...kennel.httpSettings, pagesApi: api }
  const fixed = Object.fromEntries(fixedHeaders(settings.publicUrl))
  // The pages need no other dependencies, and no other data from a request.
  const routes = createRoutes(pages, { useCases: kennel, settings } as unknown as EndpointParts)
  return async (path, acceptEncoding) => {
    const found = routes.find('GET', path)
    if (!found) return undefined
    const request = { parameters: found.parameters, header: () => acceptEncoding ?? undefined }
    try {
      const reply = await found.route.work({ request } as unknown as Exchange)
      const { status, type = '', body } = reply
      const headers = { ...mergedHeaders(fixed, reply), 'Content-Type': type }
      return { status, headers, body: body as PageReply['body'] }
    } catch (error) {
      // The requested file belongs to a different release.
      if (error instanceof HttpError) return undefined
      throw error
    }
  }
}
