/**
 * In which direction pages go over ids that grow with time. A walk shows, each once, all that was acknowledged before it
 * began. Of what is inserted meanwhile it may miss some: a store may acknowledge 2 before 1, and one that goes on
 * behind 2 does not see 1.
 */
export type PageOrder = 'oldest-first' | 'newest-first'
