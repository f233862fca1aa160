import type { NameClient } from '../../ports/name-client.js'

/** Real ones are some 200 characters; what is longer names nothing more, and would cost time to search. */
const USER_AGENT_MAX = 512

/** By `bowser`, which is loaded with the first login that tells of a client. */
export function createNameClient(): NameClient {
  return async (userAgent) => {
    const text = userAgent.slice(0, USER_AGENT_MAX)
    const { parse } = await import('./bowser.js')
    const { browser, os } = parse(text)
    const { name = '', version } = browser
    // Of what bowser does not know it answers the text from the beginning to a slash: any sentence of the client's.
    const isKnown = name !== '' && !text.startsWith(`${name}/`)
    const client = isKnown ? named(name, version) : firstProduct(text)
    return [client, os.name].filter(Boolean).join(' on ') || undefined
  }
}

/** Programs name themselves first, as `curl/8.5.0` (RFC 9110, 10.1.5); `Mozilla` is what everything calls itself. */
function firstProduct(userAgent: string): string | undefined {
  const [, name, version] = /^([^\s/()]+)(?:\/(\S*))?/.exec(userAgent) ?? []
  return name === undefined || name === 'Mozilla' ? undefined : named(name, version)
}

/** Of a version the first part says enough. */
function named(name: string, version: string | undefined): string {
  const [, major] = /^(\d+)/.exec(version ?? '') ?? []
  return major === undefined ? name : `${name} ${major}`
}
