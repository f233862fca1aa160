import type Router from '@koa/router'
import type { RequestState } from '../context.js'
import type { HttpSettings } from '../settings.js'

/** `/openapi.json`, made at the first request: its library is loaded only for those who ask. */
export function descriptionRoutes(router: Router<RequestState>, settings: HttpSettings): void {
  let made: Promise<string> | undefined
  router.get('/openapi.json', async (ctx) => {
    made ??= import('../api-description/document.js').then(({ apiDescription }) =>
      JSON.stringify(apiDescription(settings)),
    )
    ctx.body = await made
    ctx.type = 'application/json'
  })
}
