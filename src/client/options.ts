const IDENTITY =
  'baseUrl fetch stateless cookieJar authorizationHeader tokens onTokens onLoggedOut now tabs storage'
const KNOWN = `${IDENTITY} pets pets.apiKey pets.apiKeyHeader pets.basic`.split(' ')

/** Throws a TypeError that names each unknown or malformed option, without its value. */
export function checkOptions(options: object | undefined): void {
  const { baseUrl, fetch, pets, storage, tabs } = { ...options } as Record<string, unknown>
  const names = [
    ...Object.keys({ ...options }),
    ...Object.keys({ ...(pets as object) }).map((one) => `pets.${one}`),
  ]
  const errors = names.filter((name) => !KNOWN.includes(name)).map(unknown)
  if (!isAddress(baseUrl, fetch !== undefined || 'location' in globalThis))
    errors.push(
      'baseUrl must be an http or https URL, such as https://pets.example; in a page also empty or a path',
    )
  if (typeof storage === 'string' && storage !== 'sessionStorage')
    errors.push("storage must be 'sessionStorage' or a similar object")
  if (tabs && typeof tabs !== 'string') errors.push('tabs must be false or a name')
  if (errors.length > 0) throw new TypeError(`createKennelClient: ${errors.join('; ')}`)
}

function unknown(name: string): string {
  const meant = KNOWN.find((one) => one.toLowerCase() === name.toLowerCase())
  return `${name} is unknown${meant ? `; did you mean ${meant}?` : ''}`
}

function isAddress(baseUrl: unknown, hasPage: boolean): boolean {
  if (typeof baseUrl !== 'string') return false
  return (hasPage && /^(\/(?!\/)|$)/.test(baseUrl)) || (/^https?:\/\/[^?#]+$/.test(baseUrl) && isUrl(baseUrl))
}

/** Safari 15 lacks `URL.canParse`. */
function isUrl(text: string): boolean {
  try {
    return new URL(text).host !== ''
  } catch {
    return false
  }
}
