/** What a page of another origin may read of a reply, besides what browsers show anyway. */
export const EXPOSED_HEADERS = ['x-next', 'Link', 'Location', 'ETag', 'Retry-After', 'X-Request-Id']
