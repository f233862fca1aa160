/**
 * Gives the client of a `User-Agent` a name that people know it by, such as `Firefox 130 on Linux`. The header comes as it was
 * sent: of any length, with any text in it. `undefined` where it tells of no client. It rejects for no header. What it answers
 * is cut and cleaned before it is kept (`clientName`).
 */
export type NameClient = (userAgent: string) => Promise<string | undefined>
