// Names the client of a session from its `User-Agent` header, for session lists and notices.
import type { NameClient } from '../../ports/callbacks.js'

/** In characters. Real `User-Agent` headers have about 200 characters; parsing longer headers only costs time. */
const USER_AGENT_MAX = 512

/** Creates a function that derives the client's name from a `User-Agent` header with `bowser`, which is loaded on first use. */
export function createNameClient(): NameClient {
  return async (userAgent) => {
    const text = userAgent.slice(0, USER_AGENT_MAX)
    const { parse } = await import('./bowser.js')
    const { browser, os } = parse(text)
    const { name = '', version } = browser
    // For an unknown client, bowser returns the string before the first slash, and the client can choose this string freely.
    const isKnown = name !== '' && !text.startsWith(`${name}/`)
    const client = isKnown ? withMajorVersion(name, version) : firstProduct(text)
    return [client, os.name].filter(Boolean).join(' on ') || undefined
  }
}

/** All browsers begin the header with `Mozilla`; other clients begin it with their name (`curl/8.5.0`; RFC 9110, 10.1.5). */
function firstProduct(userAgent: string): string | undefined {
  const [, name, version] = /^([^\s/()]+)(?:\/(\S*))?/.exec(userAgent) ?? []
  return name === undefined || name === 'Mozilla' ? undefined : withMajorVersion(name, version)
}

function withMajorVersion(name: string, version: string | undefined): string {
  const [, major] = /^(\d+)/.exec(version ?? '') ?? []
  return major === undefined ? name : `${name} ${major}`
}
