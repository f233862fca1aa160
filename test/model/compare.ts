import { isDeepStrictEqual } from 'node:util'
import type { Reply } from '../support/http/client.js'
import type { Allowed } from './reply.js'
import type { Pair } from './world.js'

/** What is wrong with a reply, in words; nothing where it is allowed. Texts that are given out are learned. */
export function wrongWith(allowed: Allowed, reply: Reply): string | undefined {
  if (reply.status !== allowed.status) return `status ${allowed.status} expected`
  return wrongHeaders(allowed, reply) ?? wrongBody(allowed, reply) ?? wrongPair(allowed, reply)
}

function wrongHeaders({ headers = {} }: Allowed, reply: Reply): string | undefined {
  for (const [name, expected] of Object.entries(headers)) {
    const got = reply.headers[name]
    const fits = expected instanceof RegExp ? expected.test(String(got)) : got === expected
    if (!fits) return `header ${name}: ${String(expected)} expected, got ${String(got)}`
  }
  return undefined
}

function wrongBody({ body, pair }: Allowed, reply: Reply): string | undefined {
  if (body === undefined) return undefined
  const got = body === '' ? reply.text : told(reply.json, pair !== undefined)
  const wanted = told(body, false)
  if (fits(wanted, got)) return undefined
  return `body ${JSON.stringify(wanted)} expected, got ${JSON.stringify(got)}`
}

type Members = Readonly<Record<string, unknown>>

/** Every member that is expected, and no other but the words of a message, which the specification leaves open. */
function fits(wanted: unknown, got: unknown): boolean {
  if (wanted instanceof RegExp) return typeof got === 'string' && wanted.test(got)
  if (!isObject(wanted) || !isObject(got)) return isDeepStrictEqual(wanted, got)
  const open = 'type' in got || 'message' in got ? ['message', 'field'] : []
  const names = new Set([...Object.keys(wanted), ...Object.keys(got).filter((name) => !open.includes(name))])
  return [...names].every((name) => fits(wanted[name], got[name]))
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null
}

/** A body without what the store makes up: tokens that are given out, ids and labels of roles. */
function told(json: unknown, hasTokens: boolean): unknown {
  const view = isObject(json) ? json['view'] : undefined
  if (!isObject(json) || !isObject(view)) return json
  const { roleList } = view
  const roles = isObject(roleList) && !Array.isArray(roleList) ? Object.keys(roleList).sort() : roleList
  const tokens = hasTokens ? { jwt: null, refreshToken: null } : {}
  return { ...json, view: { ...view, ...('roleList' in view && { roleList: roles }), ...tokens } }
}

const COOKIE =
  /^sid=([\w-]{43});(?=.* path=\/(?:;|$))(?=.* httponly(?:;|$))(?=.* samesite=strict(?:;|$))(?!.*domain)/i

function wrongPair({ pair, cookie }: Allowed, reply: Reply): string | undefined {
  const lines = reply.headers['set-cookie'] ?? []
  if (!pair) return wrongCookie(cookie, lines)
  const { jwt, refreshToken } = tokensOf(reply)
  if (typeof jwt !== 'string' || typeof refreshToken !== 'string') return 'tokens expected'
  const value = COOKIE.exec(lines.join('\n'))?.[1]
  if ((value === undefined) !== (cookie === undefined))
    return `cookie ${String(cookie)} expected, got ${lines.join()}`
  return learned(pair, { jwt, refreshToken, ...(value !== undefined && { cookie: value }) })
}

function wrongCookie(cookie: Allowed['cookie'], lines: readonly string[]): string | undefined {
  const isCleared = lines.length === 1 && /^sid=;/.test(lines[0]!)
  const isRight = cookie === undefined ? lines.length === 0 : isCleared
  return isRight ? undefined : `cookie ${cookie ?? 'untouched'} expected, got ${lines.length} lines`
}

function tokensOf({ json }: Reply): Members {
  const view = isObject(json) ? json['view'] : undefined
  return isObject(view) ? view : {}
}

function learned(pair: Pair, text: NonNullable<Pair['text']>): string | undefined {
  pair.text ??= text
  return isDeepStrictEqual(pair.text, text) ? undefined : 'the same tokens and cookie to the byte expected'
}
