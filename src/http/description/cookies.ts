import { cookieName, type HttpSettings } from '../settings.js'
import type { Headers } from './headers.js'

const KEY = '[A-Za-z0-9_-]{43}'
const KEY_EXAMPLE = 'Ru4ZyEXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXAMPL'

/** The header by which a login or a refresh hands out the session's key; none without sessions. */
export function issuedCookie(settings: HttpSettings): Headers {
  if (settings.stateless) return {}
  const attributes = attributesOf(settings)
  const name = cookieName(settings.cookie)
  return {
    'Set-Cookie': {
      description: 'The session cookie. It lives as long as the browser’s session.',
      required: true,
      schema: { type: 'string', pattern: `^${literally(name)}=${KEY}${attributes}$` },
      example: `${name}=${KEY_EXAMPLE}${attributes}`,
    },
  }
}

/** The header by which a logout takes the cookie away, from a client that has sent one. */
export function clearedCookie(settings: HttpSettings): Headers {
  if (settings.stateless) return {}
  const gone = '; path=/; expires=Thu, 01 Jan 1970 00:00:00 GMT'
  const cleared = `${cookieName(settings.cookie)}=${attributesOf(settings).replace('; path=/', gone)}`
  return {
    'Set-Cookie': {
      description: 'Takes the session cookie away, where one was sent.',
      required: false,
      schema: { type: 'string', const: cleared },
    },
  }
}

/** In the order in which they are written. */
function attributesOf({ cookie: { secure, sameSite } }: HttpSettings): string {
  const partitioned = sameSite === 'none' ? '; partitioned' : ''
  return `; path=/; samesite=${sameSite}${secure ? '; secure' : ''}; httponly${partitioned}`
}

/** A cookie's name may hold signs that mean something in a pattern. */
function literally(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}
