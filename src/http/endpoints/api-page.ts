import { readPageFiles, type PageFile, type PageFiles } from '../api-page/files.js'
import { NOT_BUILT, PAGE_POLICY, pageHtml } from '../api-page/html.js'
import type { Endpoint } from '../endpoint.js'
import type { HttpReply, HttpRequest } from '../message.js'
import { HttpError, NOTHING_HERE } from '../reply/http-error.js'
import { takesGzip } from '../request/negotiate.js'
import type { HttpSettings } from '../settings.js'

const HTML = 'text/html; charset=utf-8'
const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  png: 'image/png',
}

/** `/docs` and its files, which are read and compressed at the first request, once. The description does not tell of them. */
export function apiPage(read: () => Promise<PageFiles | undefined> = readPageFiles): readonly Endpoint[] {
  let reading: Promise<PageFiles | undefined> | undefined
  const files = async () => await (reading ??= read())
  const page = { method: 'GET', isOffered: ({ docs }: HttpSettings) => docs } as const
  return [
    { ...page, path: '/docs', work: () => async () => pageReply(await files()) },
    // Relative, since another application may have mounted the service anywhere.
    {
      ...page,
      path: '/docs/',
      work: () => () => ({
        status: 301,
        headers: { Location: '../docs' },
        type: 'text/plain; charset=utf-8',
        body: 'Redirecting to ../docs.',
      }),
    },
    {
      ...page,
      path: '/docs/:file',
      work:
        () =>
        async ({ request }) => {
          const wanted = request.parameters['file']
          const file = [...((await files())?.values() ?? [])].find(({ address }) => address === wanted)
          if (!file) throw new HttpError(404, NOTHING_HERE)
          return fileReply(request, file)
        },
    },
  ]
}

function pageReply(files: PageFiles | undefined): HttpReply {
  return {
    status: files ? 200 : 503,
    headers: { 'Cache-Control': 'no-cache', 'Content-Security-Policy': PAGE_POLICY },
    type: HTML,
    body: files ? pageHtml(files) : NOT_BUILT,
  }
}

function fileReply(request: HttpRequest, { address, plain, zipped }: PageFile): HttpReply {
  const isZipped = takesGzip(request.header('accept-encoding'))
  return {
    status: 200,
    headers: {
      'Cache-Control': 'public, max-age=31536000, immutable',
      Vary: 'Accept-Encoding',
      ...(isZipped && { 'Content-Encoding': 'gzip' }),
    },
    type: TYPES[address.slice(address.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
    body: isZipped ? zipped : plain,
  }
}
