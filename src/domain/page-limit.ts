import { positiveIntegerIn } from './positive-integer.js'

/** A page size: a whole number from 1 to 100. */
export type PageLimit = number & { readonly brand: 'PageLimit' }

export const PAGE_LIMIT_MAX = 100
export const PAGE_LIMIT_DEFAULT = 20 as PageLimit

/** The page size of a query parameter in plain decimal form, or `undefined`; nothing is clamped. */
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
 * Direction of pages over IDs that grow with time. A walk shows, once each, all records that were acknowledged before it
 * began. It may miss records that are inserted meanwhile: a store may acknowledge 2 before 1, and a walk that continues
 * after 2 does not see 1.
 */
export type PageOrder = 'oldest-first' | 'newest-first'
