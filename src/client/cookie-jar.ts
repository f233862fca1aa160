/** Keeps the cookies of one origin where the runtime keeps none. */
export type CookieJar = {
  /** What the `Cookie` header holds now; empty for none. */
  get(): string
  /** Takes one `Set-Cookie` line. */
  set(line: string): void
}

/**
 * A jar in memory. It serves one origin, and the service sets its cookie for the whole of it: domain, path and
 * the like are not looked at.
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
      // Names of attributes come in any case, as the value of a session cookie never does.
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

/** Only SP and HTAB are no part of a name: with any other byte before it it is another name (RFC 6265bis). */
function withoutBlanks(text: string): string {
  return /[^ \t](.*[^ \t])?/s.exec(text)?.[0] ?? ''
}

function endOf(attributes: ReadonlyMap<string, string>, now: number): number {
  const age = parseInt(attributes.get('max-age') ?? '', 10)
  const end = Number.isNaN(age) ? Date.parse(attributes.get('expires') ?? '') : now + age * 1000
  return Number.isNaN(end) ? Infinity : end
}
