/**
 * Direction of pages over IDs that grow with time. A walk shows, once each, all records that were acknowledged before it
 * began. It may miss records that are inserted meanwhile: a store may acknowledge 2 before 1, and a walk that continues
 * after 2 does not see 1.
 */
export type PageOrder = 'oldest-first' | 'newest-first'
