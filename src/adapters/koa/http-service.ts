import cors from '@koa/cors'
import Router from '@koa/router'
import Koa from 'koa'
import type { Milliseconds } from '../../domain/instant.js'
import type { Log } from '../../ports/log.js'
import type { Metrics } from '../../ports/metrics.js'
import { requestLog } from './server/request-log.js'
import { boundary } from './reply/boundary.js'
import type { Middleware, RequestState } from './context.js'
import { linkBase, ownContext } from './server/mounted.js'
import { EXPOSED_HEADERS, replyHeaders } from './reply/reply-headers.js'
import { apiPageRoutes } from './routes/api-page.js'
import { descriptionRoutes } from './routes/description.js'
import { healthRoutes, PROBE_TIMEOUT, type Readiness } from './routes/health.js'
import { identityRoutes } from './routes/identity.js'
import { impersonationRoutes } from './routes/impersonation.js'
import { passwordResetRoutes } from './routes/password-reset.js'
import { petRoutes } from './routes/pets.js'
import { publicKeyRoutes } from './routes/public-keys.js'
import { projectRoutes } from './routes/project.js'
import { createSessionCookie, type SessionCookie } from './reply/session-cookie.js'
import type { HttpSettings } from './settings.js'
import { untrustedProxyNotice } from './request/untrusted-proxy.js'
import type { HttpUseCases } from './use-cases.js'

/** What the service is made of. A Kennel of `openKennel` is its use cases and has its settings. */
export type HttpServiceParts = {
  readonly useCases: HttpUseCases
  readonly settings: HttpSettings
  readonly readiness: Readiness
  /** Gets a line for each request at `info`, and one for whatever goes wrong. */
  readonly log: Log
  /** Is told of each request. */
  readonly metrics?: Metrics
  /** Milliseconds for which a readiness probe waits; 2 seconds by default. */
  readonly probeTimeout?: Milliseconds
  /** Where another application mounts it, such as `/kennel`: links then begin with it. */
  readonly prefix?: string
}

/**
 * The whole service as a Koa application that listens to nothing yet: `app.callback()` is a
 * handler for a server, and another Koa application can mount it, with koa-mount below the same `prefix`
 * and before anything of its own that reads bodies. Throws a TypeError for a prefix of another form.
 */
export function createHttpService({
  useCases,
  settings,
  readiness,
  log,
  metrics,
  probeTimeout = PROBE_TIMEOUT,
  prefix = '',
}: HttpServiceParts): Koa<RequestState> {
  const app = createApplication(log, settings)
  const router = new Router<RequestState>({ sensitive: true, strict: true })
  loginRoutes(router, useCases, settings, createSessionCookie(app, settings.cookie))
  linkingRoutes(router, useCases, { ...settings, publicUrl: linkBase(settings.publicUrl, prefix) })
  projectRoutes(router, useCases, settings)
  openRoutes(router, settings, readiness, probeTimeout)
  app.use(requestLog({ log, metrics }))
  app.use(replyHeaders(settings))
  if (settings.corsOrigins.length > 0) app.use(crossOrigin(settings))
  app.use(boundary(log, settings))
  app.use(router.routes() as unknown as Middleware)
  app.use(router.allowedMethods() as unknown as Middleware)
  return app
}

/** Of the addresses that proxies have written down it believes as many, from the last on, as there are proxies. */
function createApplication(log: Log, { trustProxy }: HttpSettings): Koa<RequestState> {
  const app = new Koa<RequestState>({ proxy: trustProxy > 0, maxIpsCount: trustProxy })
  app.on('error', (error: unknown) => {
    if (!isGone(error)) log.error('reply failed', { error })
  })
  app.use(ownContext(app))
  if (trustProxy === 0) app.use(untrustedProxyNotice(log))
  return app
}

/** What is below /api/auth. */
function loginRoutes(
  router: Router<RequestState>,
  useCases: HttpUseCases,
  settings: HttpSettings,
  cookie: SessionCookie,
): void {
  identityRoutes(router, useCases, settings, cookie)
  passwordResetRoutes(router, useCases, settings)
  impersonationRoutes(router, useCases, settings, cookie)
}

/** What tells where the service is: `publicUrl` is its own address here. */
function linkingRoutes(router: Router<RequestState>, useCases: HttpUseCases, settings: HttpSettings): void {
  petRoutes(router, useCases, settings)
  descriptionRoutes(router, settings)
}

/** What every client may read. */
function openRoutes(
  router: Router<RequestState>,
  settings: HttpSettings,
  readiness: Readiness,
  probeTimeout: Milliseconds,
): void {
  healthRoutes(router, readiness, probeTimeout)
  publicKeyRoutes(router, settings)
  apiPageRoutes(router, settings)
}

/** The client hung up before it had its answer: no error of ours. */
function isGone(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ECONNRESET' || code === 'EPIPE' || code === 'ERR_STREAM_PREMATURE_CLOSE'
}

/** What pages of listed origins may send: each header that carries a credential somewhere, named once. */
function allowedHeaders(configured: readonly string[]): string[] {
  const credentials = [...configured, 'Authorization', 'ApiKeyAuth', 'BasicAuth']
  const byName = new Map(credentials.map((name) => [name.toLowerCase(), name]))
  return ['Content-Type', ...byName.values(), 'If-Match', 'If-None-Match', 'Idempotency-Key']
}

/** Credentialed CORS for the listed origins only, echoed exactly. */
function crossOrigin({ corsOrigins, authorizationHeader, apiKeyHeader }: HttpSettings): Middleware {
  return cors({
    origin: (ctx) => (corsOrigins.includes(ctx.get('Origin')) ? ctx.get('Origin') : ''),
    credentials: true,
    allowMethods: ['GET', 'HEAD', 'POST', 'PATCH'],
    allowHeaders: allowedHeaders([authorizationHeader, apiKeyHeader]),
    exposeHeaders: EXPOSED_HEADERS,
    maxAge: 600,
  })
}
