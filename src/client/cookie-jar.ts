/** Stores the cookies of one origin for a runtime that does not store cookies. */
export type CookieJar = {
  /** Returns the value of the `Cookie` header, which is empty if there are no cookies. */
  get(): string
  /** Stores the cookie from one `Set-Cookie` line. */
  set(line: string): void
}

/**
 * Creates an in-memory cookie jar for one origin. Ignores attributes such as domain and path, because the service sets its cookies for the
 * whole origin.
 */
export function createCookieJar(now: () => number = Date.now): CookieJar {
  const kept = new Map<string, { value: string; until: number }>()
  return {
    get: () =>
      [...kept]
        .filter(([, { until }]) => until > now())
        .map(([name, { value }]) => `${name}=${value}`)
        .join('; '),
    set: (line) => {
      const [pair = '', ...attributes] = line.split(';')
      const [name, value] = halves(pair)
      if (name === '') return
      // Attribute names are case-insensitive.
      const known = new Map(
        attributes.map((one) => halves(one.replace(/^[^=]*/, (part) => part.toLowerCase()))),
      )
      kept.set(name, { value, until: endOf(known, now()) })
    },
  }
}

function halves(text: string): [name: string, value: string] {
  const [name = '', ...rest] = text.split('=')
  return [withoutBlanks(name), withoutBlanks(rest.join('='))]
}

/** Trims SP and HTAB only: any other byte is part of the name (RFC 6265bis). */
function withoutBlanks(text: string): string {
  return /[^ \t](.*[^ \t])?/s.exec(text)?.[0] ?? ''
}

function endOf(attributes: ReadonlyMap<string, string>, now: number): number {
  const age = parseInt(attributes.get('max-age') ?? '', 10)
  const end = Number.isNaN(age) ? Date.parse(attributes.get('expires') ?? '') : now + age * 1000
  return Number.isNaN(end) ? Infinity : end
}
