import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Middleware } from '../context.js'
import type { HttpSettings } from '../settings.js'

type Settings = Pick<HttpSettings, 'publicUrl' | 'trustProxy'>

/** What a page of another origin may read of a reply, besides what browsers show anyway. */
export const EXPOSED_HEADERS = ['x-next', 'Link', 'Location', 'ETag', 'Retry-After', 'X-Request-Id']

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
 * The fixed headers and the request id: behind a proxy a well-formed one of the request is passed on, else a new one is
 * made, since a client that chooses it writes into the audit log. Written to Node's reply at once, where Koa's error path would
 * find them too.
 */
export function replyHeaders({ publicUrl, trustProxy }: Settings): Middleware {
  const fixed = [...fixedHeaders(publicUrl)]
  return (ctx, next) => {
    const requestId = (trustProxy > 0 ? passedOn(ctx.req) : undefined) ?? randomUUID()
    ctx.state.requestId = requestId
    for (const [name, value] of fixed) ctx.res.setHeader(name, value)
    ctx.res.setHeader('X-Request-Id', requestId)
    return next()
  }
}

function passedOn({ headers }: IncomingMessage): string | undefined {
  const given = headers['x-request-id']
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : undefined
}

/** The fixed headers as plain pairs, for replies that are written without Koa. */
export function bareHeaders(
  publicUrl: string,
): Readonly<Record<string, string>> & { 'X-Request-Id': string } {
  return { ...Object.fromEntries(fixedHeaders(publicUrl)), 'X-Request-Id': randomUUID() }
}
