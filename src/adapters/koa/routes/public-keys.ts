import type Router from '@koa/router'
import type { RequestState } from '../context.js'
import type { HttpSettings } from '../settings.js'

/**
 * How long a resource server may go on with the keys that it has, in seconds: after this time a
 * key that was added is known everywhere, and may sign.
 */
const MAX_AGE = 300

/**
 * `/.well-known/jwks.json` (RFC 7517, 5): every key that still verifies, the one that signs now
 * first. Every client may read it, pages of other origins too. There is nothing at the path where the
 * keys are secret.
 */
export function publicKeyRoutes(router: Router<RequestState>, { publicKeys }: HttpSettings): void {
  if (publicKeys.length === 0) return
  const body = JSON.stringify({ keys: publicKeys })
  router.get('/.well-known/jwks.json', (ctx) => {
    ctx.set('Cache-Control', `public, max-age=${String(MAX_AGE)}`)
    ctx.set('Access-Control-Allow-Origin', '*')
    ctx.body = body
    ctx.type = 'application/json'
  })
}
