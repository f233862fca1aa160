import type Router from '@koa/router'
import { readPageFiles, type PageFile, type PageFiles } from '../api-page/files.js'
import { NOT_BUILT, PAGE_POLICY, pageHtml } from '../api-page/html.js'
import { pathParameter, type Context, type RequestState } from '../context.js'
import type { HttpSettings } from '../settings.js'

/** `/docs` and its files, which are read and compressed at the first request, once. */
export function apiPageRoutes(
  router: Router<RequestState>,
  { docs }: HttpSettings,
  read: () => Promise<PageFiles | undefined> = readPageFiles,
): void {
  if (!docs) return
  let reading: Promise<PageFiles | undefined> | undefined
  const files = async () => await (reading ??= read())
  router.get('/docs', async (ctx) => {
    answerPage(ctx, await files())
  })
  router.get('/docs/', (ctx) => {
    // Relative, since another application may have mounted the service anywhere.
    ctx.redirect('../docs')
    ctx.status = 301
  })
  router.get('/docs/:file', async (ctx) => {
    const wanted = pathParameter(ctx, 'file')
    const file = [...((await files())?.values() ?? [])].find(({ address }) => address === wanted)
    if (file) answerFile(ctx, file)
  })
}

function answerPage(ctx: Context, files: PageFiles | undefined): void {
  ctx.set('Cache-Control', 'no-cache')
  ctx.set('Content-Security-Policy', PAGE_POLICY)
  ctx.status = files ? 200 : 503
  ctx.body = files ? pageHtml(files) : NOT_BUILT
  ctx.type = 'html'
}

function answerFile(ctx: Context, { address, plain, zipped }: PageFile): void {
  ctx.set('Cache-Control', 'public, max-age=31536000, immutable')
  ctx.vary('Accept-Encoding')
  const takesGzip = ctx.acceptsEncodings('gzip', 'identity') === 'gzip'
  if (takesGzip) ctx.set('Content-Encoding', 'gzip')
  ctx.body = takesGzip ? zipped : plain
  ctx.type = address.slice(address.lastIndexOf('.'))
}
