import type { NameClient } from '../../ports/name-client.js'

/** Real `User-Agent` headers have about 200 characters; longer texts would only cost time. */
const USER_AGENT_MAX = 512

/** Names clients with `bowser`, which is loaded on first use. */
export function createNameClient(): NameClient {
  return async (userAgent) => {
    const text = userAgent.slice(0, USER_AGENT_MAX)
    const { parse } = await import('./bowser.js')
    const { browser, os } = parse(text)
    const { name = '', version } = browser
    // For an unknown client bowser returns the text before the first slash, which the client chooses.
    const isKnown = name !== '' && !text.startsWith(`${name}/`)
    const client = isKnown ? named(name, version) : firstProduct(text)
    return [client, os.name].filter(Boolean).join(' on ') || undefined
  }
}

/**
 * The header of a program begins with its name, such as `curl/8.5.0` (RFC 9110, 10.1.5); the header of every
 * browser begins with `Mozilla`.
 */
function firstProduct(userAgent: string): string | undefined {
  const [, name, version] = /^([^\s/()]+)(?:\/(\S*))?/.exec(userAgent) ?? []
  return name === undefined || name === 'Mozilla' ? undefined : named(name, version)
}

/** The first part of the version is enough. */
function named(name: string, version: string | undefined): string {
  const [, major] = /^(\d+)/.exec(version ?? '') ?? []
  return major === undefined ? name : `${name} ${major}`
}
