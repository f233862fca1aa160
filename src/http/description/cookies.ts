import { setCookie } from '../reply/reply-headers.js'
import type { HttpSettings } from '../settings.js'
import type { Headers } from './headers.js'

const KEY = '[A-Za-z0-9_-]{43}'
const KEY_EXAMPLE = 'Ru4ZyEXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXAMPL'

/** The header that issues the session cookie; absent without sessions. */
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

/** The header that removes the session cookie. */
export function clearedCookie({ stateless, cookie }: HttpSettings): Headers {
  if (stateless) return {}
  return {
    'Set-Cookie': {
      description: 'Removes the session cookie that the request has sent.',
      required: false,
      schema: { type: 'string', const: setCookie(cookie).cleared },
    },
  }
}

/** A pattern that matches the name literally. */
function literally(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}
