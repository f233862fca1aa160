import { randomUUID } from 'node:crypto'
import type { Middleware } from './context.js'

/** The form of an id that is passed on; one that is made has it too. */
export const REQUEST_ID = /^[A-Za-z0-9._-]{8,64}$/

/** Sent with every reply; `Cache-Control` is loosened by the routes that may be cached. */
export function fixedHeaders(publicUrl: string): ReadonlyMap<string, string> {
  const headers = new Map([
    ['Cache-Control', 'no-store'],
    ['X-Content-Type-Options', 'nosniff'],
    ['Referrer-Policy', 'no-referrer'],
    ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ])
  if (publicUrl.startsWith('https:')) headers.set('Strict-Transport-Security', 'max-age=31536000')
  return headers
}

/**
 * The fixed headers and the request id: a well-formed one of the caller's is passed on, else a
 * new one is made. Written to Node's reply at once, where Koa's error path would find them too.
 */
export function replyHeaders(publicUrl: string): Middleware {
  const fixed = [...fixedHeaders(publicUrl)]
  return (ctx, next) => {
    const given = ctx.req.headers['x-request-id']
    const requestId = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID()
    ctx.state.requestId = requestId
    for (const [name, value] of fixed) ctx.res.setHeader(name, value)
    ctx.res.setHeader('X-Request-Id', requestId)
    return next()
  }
}

/** The fixed headers as plain pairs, for replies that are written without Koa. */
export function bareHeaders(
  publicUrl: string,
): Readonly<Record<string, string>> & { 'X-Request-Id': string } {
  return { ...Object.fromEntries(fixedHeaders(publicUrl)), 'X-Request-Id': randomUUID() }
}
