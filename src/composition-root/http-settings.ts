import type { HttpSettings } from '../adapters/koa/settings.js'
import type { PublicKey } from '../ports/token-format.js'
import type { Configuration } from './configuration.js'

/** What the HTTP adapter has to be told. */
export function httpSettings(
  { http, identity, pets }: Configuration,
  publicUrl: string,
  publicKeys: readonly PublicKey[],
): HttpSettings {
  return {
    publicUrl,
    stateless: identity.stateless !== undefined,
    publicKeys,
    authorizationHeader: identity.authorizationHeader,
    trustProxy: http.trustProxy,
    cookie: identity.cookie,
    apiKeyHeader: pets.apiKeyHeader,
    corsOrigins: http.corsOrigins,
    bodyLimit: http.bodyLimit,
  }
}
