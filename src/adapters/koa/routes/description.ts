import type Router from '@koa/router'
import { createHash } from 'node:crypto'
import type { RequestState } from '../context.js'
import type { HttpSettings } from '../settings.js'

type Made = { readonly bytes: Buffer; readonly tag: string }

/**
 * `/openapi.json`, made at the first request, since its library is loaded only for those who ask; from
 * then on every reply has the same bytes.
 */
export function descriptionRoutes(router: Router<RequestState>, settings: HttpSettings): void {
  let made: Promise<Made> | undefined
  router.get('/openapi.json', async (ctx) => {
    made ??= makeDescription(settings)
    const { bytes, tag } = await made
    ctx.set('Cache-Control', 'no-cache')
    ctx.set('ETag', tag)
    ctx.status = 200
    if (ctx.fresh) {
      ctx.status = 304
      return
    }
    ctx.body = bytes
    ctx.type = 'application/json'
  })
}

async function makeDescription(settings: HttpSettings): Promise<Made> {
  const { apiDescription } = await import('../api-description/document.js')
  const bytes = Buffer.from(JSON.stringify(apiDescription(settings)))
  return { bytes, tag: `"${createHash('sha256').update(bytes).digest('base64url')}"` }
}
