import type { Stage } from './context.js'
import { forbiddenOrigin } from './http-fault.js'

/**
 * Closes login against forged cross-site requests, which no bearer header does there: an
 * `Origin` has to be ours or on the CORS list, and `Sec-Fetch-Site: cross-site` needs a listed one.
 */
export function originGuard(publicUrl: string, corsOrigins: readonly string[]): Stage {
  const ours = new URL(publicUrl).origin
  return (ctx) => {
    const origin = ctx.get('Origin')
    const listed = corsOrigins.includes(origin)
    if (origin !== '' && origin !== ours && !listed) throw forbiddenOrigin()
    if (ctx.get('Sec-Fetch-Site') === 'cross-site' && !listed) throw forbiddenOrigin()
  }
}
