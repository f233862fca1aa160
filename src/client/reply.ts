import type { Message } from './described.js'
import { KennelError } from './kennel-error.js'

/** Refusal types by status, for replies without a type, for example from a pet route or a proxy. */
const TYPES: Readonly<Record<number, Message['type']>> = {
  400: 'NotValid',
  401: 'InvalidToken',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  412: 'Conflict',
  413: 'Length',
  422: 'NotValid',
  429: 'TooMany',
}

/** Returns a member of any value; `undefined` if the value has no such member. */
export function member(value: unknown, name: string | symbol): unknown {
  return (Object(value) as Record<string | symbol, unknown>)[name]
}

/**
 * Returns the body of a successful reply if it has the expected form; throws a KennelError for any other reply. `isOwn` indicates whether a
 * 401 comes from the service; a 401 from a gateway does not end the login.
 */
export async function bodyOf<T>(
  response: Response,
  expected: (json: unknown) => json is T,
  isOwn?: (json: unknown) => boolean,
): Promise<T> {
  const json = await successOf(response, isOwn)
  if (!expected(json)) throw unreadable(response)
  return json
}

/** Returns the JSON body of a successful reply, or `undefined` if the body is not JSON; throws a KennelError for a refusal. */
export async function successOf(response: Response, isOwn?: (json: unknown) => boolean): Promise<unknown> {
  const text = await response.text().catch((cause: unknown) => {
    throw new KennelError('network', { status: response.status, cause })
  })
  const json = parsed(text)
  if (!response.ok) throw refusal(response, json, isOwn)
  return json
}

/** Returns whether the service requires the user to confirm the login before this call. The body can still be read. */
export async function needsFreshLogin(response: Response): Promise<boolean> {
  const text = await response
    .clone()
    .text()
    .catch(() => '')
  return text.includes('"fresh-login-required"')
}

/** Rethrows the error, unless it is a 401 from the service. */
export function unlessLoggedOut(error: unknown): void {
  if (member(error, 'status') !== 401) throw error
}

export function unreadable(response: Response): KennelError {
  return new KennelError('unreadable', response)
}

/** Returns `undefined` if the string is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function refusal(response: Response, json: unknown, isOwn?: (json: unknown) => boolean): KennelError {
  const { status } = response
  if (status === 401 && isOwn && !isOwn(json)) return new KennelError('network')
  const type = TYPES[status] ?? (status < 500 ? 'Format' : 'Unavailable')
  const messages = messagesOf(json, { field: '', type, code: status })
  const retryAfter = secondsOf(response.headers.get('Retry-After') ?? '')
  const requestId = response.headers.get('X-Request-Id') ?? undefined
  return new KennelError(messages[0]?.type ?? type, { status, messages, retryAfter, requestId })
}

function messagesOf(json: unknown, about: Omit<Message, 'message'>): readonly Message[] {
  const several = member(json, 'errors') ?? member(member(json, 'view'), 'messages')
  if (Array.isArray(several)) return several.filter(isMessage)
  const message = member(json, 'message')
  return typeof message === 'string' ? [{ ...about, message }] : []
}

function isMessage(value: unknown): value is Message {
  return ['message', 'field', 'type'].every((name) => typeof member(value, name) === 'string')
}

/** Proxies may send a date instead of seconds in the `Retry-After` header. */
function secondsOf(header: string): number | undefined {
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - Date.now()) / 1000)
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined
}

type Page = { readonly next?: string }

/** Returns the path with the query parameters that are not `undefined`. */
export function withQuery(path: string, query: object): string {
  const parameters = JSON.parse(JSON.stringify(query)) as Record<string, string>
  return `${path}?${new URLSearchParams(parameters).toString()}`
}

/** Reads only the cursor from the link: the link begins with `PUBLIC_URL`, but this client may use a different address. */
export function pageOf({ headers }: Response): Page {
  const next = new URLSearchParams(headers.get('x-next')?.replace(/^.*\?/, '')).get('cursor')
  return next ? { next } : {}
}

/** This page and all later pages, each fetched on demand. */
export async function* pagesOf<Query extends object, P extends Page>(
  list: (query: Query & { cursor?: string }) => Promise<P>,
  query: Query,
): AsyncGenerator<P, void, undefined> {
  let page = await list(query)
  yield page
  while (page.next) yield (page = await list({ ...query, cursor: page.next }))
}
