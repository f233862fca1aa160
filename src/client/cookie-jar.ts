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
      kept.set(name, { value, until: endOf(new Map(attributes.map(halves)), now()) })
    },
  }
}

function halves(text: string): [name: string, value: string] {
  const [name = '', ...rest] = text.split('=')
  return [withoutBlanks(name), withoutBlanks(rest.join('='))]
}

/** Only SP and HTAB are no part of a name: with any other byte before it it is another name (RFC 6265bis). */
function withoutBlanks(text: string): string {
  const begin = /^[ \t]*/.exec(text)?.[0].length ?? 0
  let end = text.length
  while (end > begin && ' \t'.includes(text.charAt(end - 1))) end -= 1
  return text.slice(begin, end)
}

/** Names of attributes come in any case, as the value of a session cookie never does. */
function endOf(attributes: ReadonlyMap<string, string>, now: number): number {
  const named = (name: string) => [...attributes].find(([one]) => one.toLowerCase() === name)?.[1] ?? ''
  const age = parseInt(named('max-age'), 10)
  const end = Number.isNaN(age) ? Date.parse(named('expires')) : now + age * 1000
  return Number.isNaN(end) ? Infinity : end
}
