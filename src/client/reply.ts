import type { Message } from './described.js'
import { KennelError } from './kennel-error.js'

/** What a refusal is about where the reply does not say so itself: the pet routes, and proxies. */
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

/** A member of whatever came. */
export function member(value: unknown, name: string | symbol): unknown {
  return (Object(value) as Record<string | symbol, unknown>)[name]
}

/** The body of a success that has the expected form; a KennelError for everything else. */
export async function bodyOf<T>(response: Response, expected: (json: unknown) => json is T): Promise<T> {
  const json = await successOf(response)
  if (!expected(json)) throw unreadable(response)
  return json
}

/** What a success says, `undefined` where that is no JSON; a KennelError for a refusal. */
export async function successOf(response: Response): Promise<unknown> {
  const text = await response.text().catch((cause: unknown) => {
    throw new KennelError('network', { status: response.status, cause })
  })
  const json = parsed(text)
  if (!response.ok) throw refusal(response, json)
  return json
}

/** The failure of a reply that has the wrong form. */
export function unreadable({ status }: Response): KennelError {
  return new KennelError('unreadable', { status })
}

/** `undefined` where a text is no JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function refusal(response: Response, json: unknown): KennelError {
  const { status } = response
  const type = TYPES[status] ?? (status < 500 ? 'Format' : 'Unavailable')
  const messages = messagesOf(json, { field: '', type, code: status })
  const retryAfter = secondsOf(response.headers.get('Retry-After'))
  return new KennelError(messages[0]?.type ?? type, { status, messages, retryAfter })
}

function messagesOf(json: unknown, about: Omit<Message, 'message'>): readonly Message[] {
  const several = member(member(json, 'view'), 'messages')
  if (Array.isArray(several)) return several.filter(isMessage)
  const message = member(json, 'message')
  return typeof message === 'string' ? [{ ...about, message }] : []
}

function isMessage(value: unknown): value is Message {
  return ['message', 'field', 'type'].every((name) => typeof member(value, name) === 'string')
}

/** Proxies may send a date. */
function secondsOf(header: string | null): number | undefined {
  if (header === null) return undefined
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - Date.now()) / 1000)
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined
}
