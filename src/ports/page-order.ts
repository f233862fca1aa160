/** In which direction pages go over ids that grow with time. */
export type PageOrder = 'oldest-first' | 'newest-first'
