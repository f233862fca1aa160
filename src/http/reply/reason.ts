import { isRefusal, type RefusalCode } from '../../domain/refusal.js'
import type { Exchange } from '../exchange.js'
import type { HttpSettings } from '../settings.js'

type ReadSettings = Pick<HttpSettings, 'authorizationHeader' | 'stateless'>

/**
 * Returns why credentials were rejected with 401; for the log only, because the reply does not reveal the reason. The reason contains no
 * text that the client sent. Returns `undefined` for any other error.
 */
export function reasonOf(error: unknown, exchange: Exchange, settings: ReadSettings): string | undefined {
  if (!isRefusal(error) || !CODES.includes(error.code)) return undefined
  const { accessToken, sessionKey } = exchange.presented ?? {}
  if (!exchange.presented || (accessToken && (sessionKey !== undefined || settings.stateless)))
    return error.detail
  if (accessToken) return 'the session cookie is missing'
  const { authorizationHeader: name } = settings
  if (/^bearer /i.test(exchange.request.header('authorization') ?? ''))
    return `the access token is in Authorization, but the service reads it from ${name}`
  return sessionKey === undefined ? `the header ${name} is missing` : `the cookie came without ${name}`
}

/** The refusal codes for a missing or invalid login (401). */
const CODES: readonly RefusalCode[] = ['invalid-token', 'unauthenticated']
