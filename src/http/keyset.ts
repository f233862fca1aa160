import * as z from 'zod'
import { integerFrom, MUST_BE } from '../domain/messages.js'
import { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX, pageLimit, type PageLimit } from '../domain/page-limit.js'
import { Refusal } from '../domain/refusal.js'
import type { Header, Headers } from './description/headers.js'
import { cursors, type PositionForm } from './request/cursor.js'
import { validate } from './schemas/validate.js'

/** A list in pages, each of which begins behind the last entry of the one before it: none costs more for being deep. */
export type Keyset<Position> = {
  /** The parameters of every page, as they are described. What they hold is judged by `pageOf`. */
  readonly query: typeof QUERY
  /** The page that the query of a request asks for; refuses with `malformed`. */
  readonly asked: (search: string) => PageQuery<Position>
  /** The same of parameters that are known to be single ones, or absent. */
  readonly pageOf: (query: z.output<typeof QUERY>) => PageQuery<Position>
  /** What tells where the next page is, by what links begin with; nothing after the last one. */
  readonly headers: (
    base: string,
    limit: PageLimit,
    next: Position | undefined,
  ) => Readonly<Record<string, string>>
  /** The same as they are described. */
  readonly described: (publicUrl: string) => Headers
}

/** At most so many entries, behind this position. */
export type PageQuery<Position> = { readonly limit: PageLimit; readonly after?: Position }

/** A list that is read in pages. */
export type Listing<Position> = PositionForm<Position> & {
  readonly path: string
  /** What its entries are called, such as `pets`. */
  readonly entries: string
  /** For the description. */
  readonly example: Position
}

const text = z.string(MUST_BE.single).optional()
const QUERY = z.object({ limit: text, cursor: text })

export function keyset<Position>(listing: Listing<Position>): Keyset<Position> {
  const { path, entries, example } = listing
  const { read, write } = cursors(listing)

  function pageOf({ limit: size, cursor }: z.output<typeof QUERY>): PageQuery<Position> {
    const limit = size === undefined ? PAGE_LIMIT_DEFAULT : pageLimit(size)
    if (limit === undefined) throw badQuery('limit', integerFrom(1, PAGE_LIMIT_MAX))
    if (cursor === undefined) return { limit }
    const after = read(cursor)
    if (after === undefined) throw badQuery('cursor', 'is not one that this service gave out')
    return { limit, after }
  }

  function addressOf(base: string, limit: PageLimit, after: Position): string {
    return `${base}${path}?limit=${String(limit)}&cursor=${write(after)}`
  }

  return {
    query: describedQuery(entries, write(example)),
    pageOf,
    asked: (search) => pageOf(validate(QUERY, queryOf(search, ['limit', 'cursor']))),
    headers: (base, limit, next) => {
      const address = next === undefined ? undefined : addressOf(base, limit, next)
      return address === undefined ? {} : { 'x-next': address, Link: linkTo(address) }
    },
    described: (publicUrl) => describedHeaders(addressOf(publicUrl, PAGE_LIMIT_DEFAULT, example)),
  }
}

/** Parameters of these names; one that is there twice has both values, which no rule takes. */
export function queryOf(search: string, names: readonly string[]): Record<string, unknown> {
  const query = new URLSearchParams(search)
  return Object.fromEntries(
    names.map((name) => {
      const [value, ...others] = query.getAll(name)
      return [name, others.length > 0 ? [value, ...others] : value]
    }),
  )
}

/** The refusal of a parameter. */
export function badQuery(field: string, message: string): Refusal {
  return new Refusal('malformed', [{ field, type: 'NotValid', message }])
}

function describedQuery(entries: string, cursor: string): typeof QUERY {
  return z.object({
    limit: text.meta({
      description: `The most ${entries} that one page holds.`,
      type: 'integer',
      minimum: 1,
      maximum: PAGE_LIMIT_MAX,
      default: PAGE_LIMIT_DEFAULT,
      examples: [PAGE_LIMIT_DEFAULT],
    }),
    cursor: text.meta({ description: 'Opaque; take it from `x-next`.', examples: [cursor] }),
  })
}

function linkTo(address: string): string {
  return `<${address}>; rel="next"`
}

/** Optional: the last page has neither. */
function describedHeaders(next: string): Headers {
  const header = (description: string, example: string): Header => ({
    description,
    required: false,
    schema: { type: 'string' },
    example,
  })
  return {
    'x-next': header('Address of the next page; absent on the last.', next),
    Link: header('The same as rel="next" (RFC 8288).', linkTo(next)),
  }
}
