import { accessTokenTtl, isProduction, originOf, when, WHERE, type Rule } from './rules.js'
import { isLoopback } from './web.js'

const HOUR = 3_600_000

/** Settings that are harmless while one tries the service and unsafe for real accounts. Each stops the start. */
export const PRODUCTION_ERRORS: readonly Rule[] = [
  {
    about: ['NODE_ENV', 'PUBLIC_URL', 'IDENTITY_STATELESS'],
    sentence: (values) =>
      when(
        isPlainInProduction(values.PUBLIC_URL, values) && !values.IDENTITY_STATELESS,
        'PUBLIC_URL must be https in production: browsers keep the session cookie for https alone; outside production http does on a loopback address',
      ),
  },
  {
    about: ['NODE_ENV', 'SESSION_COOKIE_SAMESITE', 'CORS_ORIGINS'],
    sentence: (values) =>
      when(
        values.SESSION_COOKIE_SAMESITE === 'none' &&
          (values.CORS_ORIGINS ?? []).some((origin) => isPlainInProduction(origin, values)),
        'CORS_ORIGINS must hold https origins only where SESSION_COOKIE_SAMESITE is none in production: whoever changes an http page on its way would act as its visitor',
      ),
  },
  {
    about: ['NODE_ENV', 'RESET_URL'],
    sentence: (values) =>
      when(
        isPlainInProduction(values.RESET_URL, values) && !isLoopback(values.RESET_URL),
        'RESET_URL must be https in production, unless it is on a loopback address: whoever changes the page on its way would get the reset token',
      ),
  },
]

/** Each is said aloud at the start, which goes on. */
export const PRODUCTION_WARNINGS: readonly Rule[] = [
  {
    about: ['NODE_ENV', 'PUBLIC_URL', 'IDENTITY_STATELESS'],
    sentence: (values) =>
      when(
        isPlainInProduction(values.PUBLIC_URL, values) && values.IDENTITY_STATELESS,
        'PUBLIC_URL is not https: passwords and tokens can be read by whoever sits between the client and the service',
      ),
  },
  {
    about: ['NODE_ENV', 'LOGIN_LIMIT'],
    sentence: (values) =>
      when(
        isProduction(values) && values.LOGIN_LIMIT === undefined,
        'LOGIN_LIMIT is off: passwords can be tried without end unless a proxy limits them; LOGIN_LIMIT=10/15m would',
      ),
  },
  {
    about: ['IDENTITY_STATELESS', 'ACCESS_TOKEN_TTL'],
    sentence: (values) =>
      when(
        values.IDENTITY_STATELESS && accessTokenTtl(values) > HOUR,
        'ACCESS_TOKEN_TTL is above 1h in stateless mode: an access token that was stolen can be used for that long',
      ),
  },
  {
    about: WHERE,
    sentence: (values) => {
      const origin = originOf(values)
      const isPublic = origin.startsWith('https:') && !isLoopback(origin)
      return when(
        isPublic && !isProduction(values),
        'PUBLIC_URL is public, but this is not production: the conveniences of development are on',
      )
    },
  },
]

/** Whether it is an http URL in production, where that is no matter of trying things out. */
function isPlainInProduction(
  url: string | undefined,
  values: Parameters<typeof isProduction>[0],
): url is string {
  return url !== undefined && url.startsWith('http:') && isProduction(values)
}
