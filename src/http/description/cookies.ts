import { setCookie } from '../reply/reply-headers.js'
import type { HttpSettings } from '../settings.js'
import type { Headers } from './headers.js'

const KEY = '[A-Za-z0-9_-]{43}'
const KEY_EXAMPLE = 'Ru4ZyEXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXAMPL'

/** The header by which a login or a refresh hands out the session's key; none without sessions. */
export function issuedCookie({ stateless, cookie }: HttpSettings): Headers {
  if (stateless) return {}
  const [before = '', after = ''] = setCookie(cookie).issued(KEY_EXAMPLE).split(KEY_EXAMPLE)
  return {
    'Set-Cookie': {
      description: 'The session cookie. It lives as long as the browser’s session.',
      required: true,
      schema: { type: 'string', pattern: `^${literally(before)}${KEY}${after}$` },
      example: `${before}${KEY_EXAMPLE}${after}`,
    },
  }
}

/** The header by which a logout takes the cookie away, from a client that has sent one. */
export function clearedCookie({ stateless, cookie }: HttpSettings): Headers {
  if (stateless) return {}
  return {
    'Set-Cookie': {
      description: 'Takes the session cookie away, where one was sent.',
      required: false,
      schema: { type: 'string', const: setCookie(cookie).cleared },
    },
  }
}

/** A cookie's name may hold signs that mean something in a pattern. */
function literally(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}
