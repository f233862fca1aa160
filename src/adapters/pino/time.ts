let at = 0
let written = ''

/** As pino's own: ISO 8601 with milliseconds. Many lines of a busy service have the same one. */
export function isoTime(now: number): string {
  if (now !== at) {
    at = now
    written = `,"time":"${new Date(now).toISOString()}"`
  }
  return written
}
