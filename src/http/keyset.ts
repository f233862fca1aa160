import * as z from 'zod'
import { integerFrom, MUST_BE } from '../domain/messages.js'
import { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX, pageLimit, type PageLimit } from '../domain/page-limit.js'
import { Refusal } from '../domain/refusal.js'
import type { Header, Headers } from './description/headers.js'
import type { HttpRequest } from './message.js'
import { validate } from './schemas/validate.js'
import { base64url } from './encoding.js'

/** A request's path and query, needed only if they differ between requests. */
type PageAddress = Pick<HttpRequest, 'path' | 'search'>

/** At most `limit` entries after a position. */
export type PageQuery<Position> = { readonly limit: PageLimit; readonly after?: Position }

export type PagedList<Position> = {
  /** A prefix that is unique to this list and this version of the format of its cursors, such as `p1`. */
  readonly version: string
  readonly write: (after: Position) => string
  readonly read: (text: string) => Position | undefined
  readonly path: string
  /** Name of the entries, such as `pets`. */
  readonly entries: string
  readonly example: Position
}

const text = z.string(MUST_BE.single).optional()
const QUERY = z.object({ limit: text, cursor: text })

/** Splits a list into pages. Each page begins after the last entry of the previous page, so all pages cost the same to read. */
export function keyset<Position>(listing: PagedList<Position>) {
  const { path, entries, example } = listing
  const { read, write } = cursors(listing)

  /** Reads the requested page from parsed query parameters. Throws `malformed`. */
  function pageOf({ limit: size, cursor }: z.output<typeof QUERY>): PageQuery<Position> {
    const limit = size === undefined ? PAGE_LIMIT_DEFAULT : pageLimit(size)
    if (limit === undefined) throw badQuery('limit', integerFrom(1, PAGE_LIMIT_MAX))
    if (cursor === undefined) return { limit }
    const after = read(cursor)
    if (after === undefined) throw badCursor()
    return { limit, after }
  }

  function addressOf(base: string, limit: PageLimit, after: Position, at?: PageAddress): string {
    const query = new URLSearchParams(at?.search)
    query.set('limit', String(limit))
    query.set('cursor', write(after))
    return `${base}${at?.path ?? path}?${query.toString()}`
  }

  return {
    /** The query parameters and their descriptions; `pageOf` validates the values. */
    query: describedQuery(entries, write(example)),
    pageOf,
    /** Reads the requested page from the query of a request. Throws `malformed`. */
    asked: (search: string) => pageOf(validate(QUERY, queryOf(search, ['limit', 'cursor']))),
    /** Returns the reply headers with the URL of the next page, which begins with `base`; the last page has no such headers. */
    headers: (
      base: string,
      limit: PageLimit = PAGE_LIMIT_DEFAULT,
      next?: Position,
      at?: PageAddress,
    ): Readonly<Record<string, string>> => {
      if (next === undefined) return {}
      const address = addressOf(base, limit, next, at)
      return { 'x-next': address, Link: linkTo(address) }
    },
    described: (publicUrl: string) => describedHeaders(addressOf(publicUrl, PAGE_LIMIT_DEFAULT, example)),
  }
}

/**
 * Returns the values of the query parameters with these names. If a parameter is repeated, an array of its values is returned, which no
 * schema accepts.
 */
export function queryOf(search: string, names: readonly string[]): Record<string, unknown> {
  const query = new URLSearchParams(search)
  return Object.fromEntries(
    names.map((name) => {
      const [value, ...others] = query.getAll(name)
      return [name, others.length > 0 ? [value, ...others] : value]
    }),
  )
}

export function badCursor(): Refusal {
  return badQuery('cursor', 'is not a cursor of this service')
}

export function badQuery(field: string, message: string): Refusal {
  return new Refusal('malformed', [{ field, type: 'NotValid', message }])
}

function describedQuery(entries: string, cursor: string): typeof QUERY {
  return z.object({
    limit: text.meta({
      description: `Maximum number of ${entries} in one page.`,
      type: 'integer',
      minimum: 1,
      maximum: PAGE_LIMIT_MAX,
      default: PAGE_LIMIT_DEFAULT,
      examples: [PAGE_LIMIT_DEFAULT],
    }),
    cursor: text.meta({ description: 'Opaque value from `x-next`.', examples: [cursor] }),
  })
}

function linkTo(address: string): string {
  return `<${address}>; rel="next"`
}

function describedHeaders(next: string): Headers {
  const header = (description: string, example: string): Header => ({
    description,
    required: false,
    schema: { type: 'string' },
    example,
  })
  return {
    'x-next': header('Address of the next page; absent on the last page.', next),
    Link: header('Address of the next page as rel="next" (RFC 8288); absent on the last page.', linkTo(next)),
  }
}

/** Converts positions in a list to opaque cursors for clients. `read` returns `undefined` for a string that `write` could not have returned. */
export function cursors<Position>(form: Pick<PagedList<Position>, 'version' | 'write' | 'read'>) {
  const prefix = `${form.version}:`
  const write = (after: Position) => base64url(encodeURI(`${prefix}${form.write(after)}`))
  return {
    write,
    read: (cursor: string): Position | undefined => {
      const text = decodeCursor(cursor)
      const after = text.startsWith(prefix) ? form.read(text.slice(prefix.length)) : undefined
      return after !== undefined && write(after) === cursor ? after : undefined
    },
  }
}

function decodeCursor(cursor: string): string {
  try {
    return decodeURI(atob(cursor.replaceAll('-', '+').replaceAll('_', '/')))
  } catch {
    return ''
  }
}
