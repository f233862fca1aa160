/**
 * Resolves with a readable name for a `User-Agent` header, such as `Firefox 130 on Linux`, or with `undefined` if the client is unknown. The
 * header is passed exactly as sent; the function must not reject, regardless of the length or content of the header. The name is shortened
 * and sanitized before it is stored (`clientName`).
 */
export type NameClient = (userAgent: string) => Promise<string | undefined>
