import type { Log } from '../../../ports/log.js'
import type { Context, Middleware } from '../context.js'
import type { HttpSettings } from '../settings.js'
import { failureBody, failureOf, httpFailure, RETRY_AFTER, type Failure } from './failure.js'

const PETS_PREFIX = '/v1/pets'
const REALM = 'realm="Kennel pets"'

/**
 * The one place where a failure becomes a reply. It sits inside everything that sets headers,
 * since Koa's own error path would strip them, cookies included.
 */
export function boundary(log: Log, settings: HttpSettings): Middleware {
  const challenge = petChallenge(settings)
  const answer = (ctx: Context, failure: Failure) => {
    if (failure.status === 401 && ctx.path.startsWith(PETS_PREFIX)) ctx.set('WWW-Authenticate', challenge)
    answerWith(ctx, failure)
  }
  return async (ctx, next) => {
    try {
      await next()
      if (ctx.body === undefined || ctx.body === null) answerUnmatched(ctx)
      // Koa calls an empty text plain text; there is nothing to be of a type.
      if (ctx.body === '') ctx.remove('Content-Type')
    } catch (error) {
      const failure = failureOf(error, ctx.path)
      report(log, ctx, failure, error)
      answer(ctx, failure)
    }
  }
}

/** What the router left: no such path, or a method that it does not have (`Allow` is set by then). */
function answerUnmatched(ctx: Context): void {
  if (ctx.status === 404) answerWith(ctx, httpFailure(404, 'There is nothing at this path.'))
  if (ctx.status === 405 || ctx.status === 501) {
    answerWith(ctx, httpFailure(405, 'This method is not allowed here; see the Allow header.'))
  }
}

function answerWith(ctx: Context, failure: Failure): void {
  ctx.status = failure.status
  ctx.body = failureBody(failure, ctx.path)
  if (failure.status === 503) ctx.set('Retry-After', RETRY_AFTER)
  if (failure.retryAfter !== undefined) ctx.set('Retry-After', String(failure.retryAfter))
  if (!ctx.req.complete) discardBody(ctx)
  ctx.remove('ETag')
}

/**
 * Reads the rest of a body and throws it away, for as long as REQUEST_TIMEOUT lets it come: a
 * connection that is closed on unread bytes is reset, and the client would not see its answer.
 */
function discardBody({ req }: Context): void {
  req.unpipe()
  req.resume()
}

function report(log: Log, ctx: Context, failure: Failure, error: unknown): void {
  const fields = { method: ctx.method, status: failure.status, requestId: ctx.state.requestId }
  if (failure.unexpected) log.error('request failed', { ...fields, error })
  else if (failure.status === 503) log.warn('request refused', { ...fields, error })
  else if (failure.detail !== undefined && log.enabled('debug')) {
    log.debug('request refused', { ...fields, detail: failure.detail })
  }
}

/**
 * Tells whom the pet routes do not know how to make themselves known. A 401 has to have a challenge (RFC 9110,
 * 11.6.1); for API keys there is no registered scheme, so it is one of ours that names the header.
 */
export function petChallenge({ petSecurity, apiKeyHeader }: HttpSettings): string {
  return petSecurity === 'key'
    ? `ApiKey ${REALM}, header="${apiKeyHeader}"`
    : `Basic ${REALM}, charset="UTF-8"`
}
