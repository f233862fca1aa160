/**
 * Names the client of a `User-Agent` header for people, such as `Firefox 130 on Linux`; `undefined` if the header names
 * no client. The header comes as it was sent, with any length and any text, and must not make the function reject. The
 * name is shortened and cleaned before it is stored (`clientName`).
 */
export type NameClient = (userAgent: string) => Promise<string | undefined>
