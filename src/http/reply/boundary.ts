import type { Log } from '../../ports/log.js'
import type { HttpReply, HttpRequest } from '../message.js'
import { requestMethod } from '../request-log.js'
import type { HttpSettings } from '../settings.js'
import { failureBody, failureOf, retryAfter, type Failure } from './failure.js'

const PETS_PREFIX = '/v1/pets'
const REALM = 'realm="Kennel pets"'

/** The only code that converts failures to replies. */
export type Boundary = {
  /** Logs an error that an endpoint threw, and returns the reply for this error. */
  failed(error: unknown, request: HttpRequest): HttpReply
  reply(failure: Failure, path: string): HttpReply
}

export function createBoundary(log: Log, settings: HttpSettings): Boundary {
  const challenge = { 'WWW-Authenticate': petChallenge(settings) }
  const reply = (failure: Failure, path: string): HttpReply => ({
    status: failure.status,
    body: failureBody(failure, path),
    headers: {
      ...(failure.status === 401 && path.startsWith(PETS_PREFIX) && challenge),
      ...retryAfter(failure),
    },
  })
  return {
    reply,
    failed: (error, request) => {
      const failure = failureOf(error, request.path, !settings.production)
      report(log, request, failure, error)
      return reply(failure, request.path)
    },
  }
}

function report(log: Log, { method, requestId }: HttpRequest, failure: Failure, error: unknown): void {
  const fields = { method: requestMethod(method), status: failure.status, requestId }
  if (failure.unexpected) log.error('request failed', { ...fields, error })
  else if (failure.status === 503) log.warn('request refused', { ...fields, error })
  else if (failure.detail !== undefined && log.enabled('debug')) {
    log.debug('request refused', { ...fields, detail: failure.detail })
  }
}

/**
 * The challenge of a 401 from the pet routes (RFC 9110, 11.6.1). The private scheme `ApiKey` tells the client which header takes the API
 * key.
 */
export function petChallenge({ petsSecurity, petsApiKeyHeader }: HttpSettings): string {
  return petsSecurity === 'key'
    ? `ApiKey ${REALM}, header="${petsApiKeyHeader}"`
    : `Basic ${REALM}, charset="UTF-8"`
}
