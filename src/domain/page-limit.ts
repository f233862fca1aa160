import { positiveIntegerIn } from './parsed.js'

/** A page size: a whole number from 1 to 100. */
export type PageLimit = number & { readonly brand: 'PageLimit' }

export const PAGE_LIMIT_MAX = 100
export const PAGE_LIMIT_DEFAULT = 20 as PageLimit

/** Parses a page size from a query parameter in plain decimal form; returns `undefined` for any other value, and never clamps a value. */
export function pageLimit(text: string): PageLimit | undefined {
  const limit = positiveIntegerIn(text)
  return limit !== undefined && limit <= PAGE_LIMIT_MAX ? (limit as PageLimit) : undefined
}

export function pageOf<Name extends string, Item extends { readonly id: unknown }>(
  name: Name,
  found: readonly Item[],
  limit: number,
): Readonly<Record<Name, readonly Item[]>> & { readonly next?: Item['id'] } {
  const items = found.slice(0, limit)
  const last = items.at(-1)
  const page = { [name]: items } as unknown as Record<Name, readonly Item[]>
  return found.length > limit && last ? { ...page, next: last.id } : page
}

/**
 * The order of pages by ID; IDs increase with time. Reading all pages returns every record acknowledged before the first page was read,
 * exactly once. Records that are inserted in the meantime may be missed: a store may acknowledge ID 2 before ID 1, and the page after ID 2
 * does not contain ID 1.
 */
export type PageOrder = 'oldest-first' | 'newest-first'
