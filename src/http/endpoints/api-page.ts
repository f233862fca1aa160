import { loadApiPage, type ApiPage, type PageFile } from '../api-page/files.js'
import { PAGE_POLICY } from '../api-page/html.js'
import type { Endpoint } from '../endpoint.js'
import type { HttpReply, HttpRequest } from '../message.js'
import { HttpError, NOTHING_HERE } from '../reply/http-error.js'
import { takesGzip } from '../request/accept-encoding.js'
import type { HttpSettings } from '../settings.js'

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  png: 'image/png',
}

let loading: Promise<ApiPage> | undefined
const load = () => (loading ??= loadApiPage())

const page = { method: 'GET', isOffered: ({ docs }: HttpSettings) => docs } as const

/**
 * `/docs` and its files, and the redirect from `/`; the files are loaded on the first request. The API description omits these endpoints.
 */
export const apiPage: readonly Endpoint[] = [
  {
    ...page,
    path: '/docs',
    work: () => async () => ({
      status: 200,
      headers: { 'Cache-Control': 'no-cache', 'Content-Security-Policy': PAGE_POLICY },
      type: 'text/html; charset=utf-8',
      body: (await load()).html,
    }),
  },
  {
    ...page,
    path: '/',
    work: ({ base }) => {
      const { pathname } = new URL(base)
      // The address is relative if there is no prefix, because a proxy may add a prefix.
      const address = pathname === '/' ? 'docs' : `${pathname}/docs`
      return () => redirect(302, address)
    },
  },
  // The address is relative, because another application may mount the service at any path.
  {
    ...page,
    path: '/docs/',
    work: () => () => redirect(301, '../docs'),
  },
  {
    ...page,
    path: '/docs/:file',
    work:
      () =>
      async ({ request }) => {
        const address = request.parameters['file'] ?? ''
        const file = (await load()).files.get(address)
        if (!file) throw new HttpError(404, NOTHING_HERE)
        return await fileReply(request, address, file)
      },
  },
]

function redirect(status: 301 | 302, address: string): HttpReply {
  return {
    status,
    headers: { Location: address },
    type: 'text/plain; charset=utf-8',
    body: `Redirecting to ${address}.`,
  }
}

async function fileReply(request: HttpRequest, address: string, file: PageFile): Promise<HttpReply> {
  const isZipped = takesGzip(request.header('accept-encoding'))
  return {
    status: 200,
    headers: {
      'Cache-Control': 'public, max-age=31536000, immutable',
      Vary: 'Accept-Encoding',
      ...(isZipped && { 'Content-Encoding': 'gzip' }),
    },
    type: TYPES[address.slice(address.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
    body: isZipped ? file.zipped : await file.plain(),
  }
}
