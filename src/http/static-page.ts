import type { Endpoint, EndpointParts } from './endpoint.js'
import { bytesOfBase64, unzip, takesGzip } from './encoding.js'
import type { HttpReply, HttpRequest } from './message.js'
import { HttpError, NOTHING_HERE } from './reply/failure.js'
import type { HttpSettings } from './parts.js'

/** A file of a page, as the build packs it. */
export type PackedFile = {
  /** The file name contains a hash of the content, so that clients can cache the file indefinitely: `page.0123456789abcdef.js`. */
  readonly address: string
  /** The content, compressed with gzip and encoded in base64. */
  readonly gzip: string
}

/** A page for people; its endpoints are not part of the API description. */
export type StaticPage = {
  /** The path of the page, such as `/docs`. The page's files are served below this path. */
  readonly path: string
  /** The paths of the page; only `path` by default. */
  readonly paths?: readonly string[]
  readonly isOffered: (settings: HttpSettings) => boolean
  readonly policy: string
  /** Called on the first request. */
  readonly load: () => Promise<{
    readonly html: (parts: EndpointParts) => string
    readonly files: Readonly<Record<string, PackedFile>>
  }>
}

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  png: 'image/png',
}

/**
 * The strictest Content-Security-Policy: only files and replies of the service, no inline code, and no HTML that a script creates from
 * strings.
 */
export const STRICT_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

/** Returns the endpoints of the page and its files, and a redirect for a page path that ends with a slash. */
export function pageEndpoints({ path, paths = [path], ...rest }: StaticPage): readonly Endpoint[] {
  const { isOffered, policy, load } = rest
  let loading: ReturnType<typeof opened> | undefined
  const page = () => (loading ??= opened(load))
  const shared = { method: 'GET', isOffered } as const
  return [
    ...paths.flatMap((one): readonly Endpoint[] => [
      {
        ...shared,
        path: one,
        work: (parts) => async () => ({
          status: 200,
          headers: { 'Cache-Control': 'no-cache', 'Content-Security-Policy': policy },
          type: 'text/html; charset=utf-8',
          body: (await page()).html(parts),
        }),
      },
      // The address is relative, because another application may mount the service at any path.
      { ...shared, path: `${one}/`, work: () => () => redirect(301, `..${one}`) },
    ]),
    {
      ...shared,
      path: `${path}/:file`,
      work:
        () =>
        async ({ request }) => {
          const address = request.parameters['file'] ?? ''
          const file = (await page()).files.get(address)
          if (!file) throw new HttpError(404, NOTHING_HERE)
          return await fileReply(request, address, file)
        },
    },
  ]
}

export function redirect(status: 301 | 302, address: string): HttpReply {
  return {
    status,
    headers: { Location: address },
    type: 'text/plain; charset=utf-8',
    body: `Redirecting to ${address}.`,
  }
}

async function opened(load: StaticPage['load']) {
  const { html, files } = await load()
  return {
    html,
    files: new Map(Object.values(files).map((packed) => [packed.address, pageFile(packed)] as const)),
  }
}

function pageFile({ gzip }: PackedFile) {
  const zipped = bytesOfBase64(gzip)
  let plain: Promise<Uint8Array> | undefined
  return {
    zipped,
    /** Returns the plain file for clients that do not accept gzip; the file is decompressed on the first call. */
    plain: () => (plain ??= unzip(zipped)),
  }
}

async function fileReply(
  request: HttpRequest,
  address: string,
  file: ReturnType<typeof pageFile>,
): Promise<HttpReply> {
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
