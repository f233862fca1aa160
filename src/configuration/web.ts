import { isIP } from 'node:net'
import { addressNetwork, type TrustProxy } from '../domain/identity/address.js'
import {
  invalid,
  withGuess,
  listSetting,
  means,
  wrongType,
  textual,
  type Reader,
  type Reading,
} from './reader.js'
import { integer } from './units.js'

const LOOPBACK_NAME = /localhost|\b127\.\d+\.\d+\.\d+|\[::1\]/i
const TOKEN = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/
const ORIGIN = /^https?:\/\/[^\s/?#@\\*]+\/?$/i
/** Matches origins of app shells, browser extensions and Android apps, which browsers do not normalize, so they stay unchanged. */
const APP_ORIGIN =
  /^(?:(?:capacitor|ionic|tauri|app|(?:chrome|moz|safari-web)-extension):\/\/[\w.-]{1,253}(?::\d{1,5})?|android:apk-key-hash:[\w-]{43})$/

/** Header names that have a different meaning; a credential in such a header would be lost or leaked. */
const TAKEN_HEADERS = new Set(
  `accept accept-charset accept-encoding accept-language age allow apikeyauth basicauth cache-control
  connection content-encoding content-language content-length content-location content-type cookie date
  etag expect expires forwarded from host idempotency-key if-match if-modified-since if-none-match
  if-range if-unmodified-since keep-alive last-modified link location max-forwards origin pragma range
  referer retry-after server set-cookie te trailer transfer-encoding upgrade user-agent vary via
  www-authenticate x-forwarded-for x-forwarded-host x-forwarded-proto x-http-method-override x-next
  x-real-ip x-request-id`.split(/\s+/),
)
const TAKEN_FAMILIES = /^(?:sec-|proxy-|access-control-)/

/** The name of a request header that may carry a credential, such as `Authorization`. */
export const credentialHeader: Reader<string> = textual(headerName)

function headerName(text: string): Reading<string> {
  if (!TOKEN.test(text)) return invalid('must be the name of a header')
  const name = text.toLowerCase()
  return TAKEN_HEADERS.has(name) || TAKEN_FAMILIES.test(name)
    ? invalid('names a header that has a different meaning')
    : means(text)
}

/** The name of the request header with the API key; not `Authorization`, which carries the Basic credentials. */
export const apiKeyHeader: Reader<string> = textual((text) =>
  text.toLowerCase() === 'authorization'
    ? invalid('must not be Authorization, which carries the Basic credentials')
    : headerName(text),
)

export const cookieName: Reader<string> = textual((text) => {
  if (/^__(?:host|secure)-/i.test(text))
    return invalid('must not have a prefix: the service adds __Host- to the name of a secure cookie')
  return TOKEN.test(text)
    ? means(text)
    : invalid('must be the name of a cookie: 1 to 64 letters, digits, hyphens or underscores')
})

/** An http or https origin, exactly as browsers send it. */
export const publicOrigin: Reader<string> = withGuess(textual(originOf), (text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol)) return url.origin
  return LOOPBACK_NAME.test(text) ? 'http://127.0.0.1' : 'https://unknown.invalid'
})

function originOf(text: string): Reading<string> {
  return ORIGIN.test(text) && URL.canParse(text)
    ? means(new URL(text).origin)
    : invalid(
        'must be an http or https origin such as https://pets.example, without a user name, path or query',
      )
}

/** A list of origins, each exactly as browsers send it; in a string, the origins are separated by commas. */
export const originList: Reader<readonly string[], readonly string[]> = listSetting(origins, {
  // An entry with a comma would be split into two origins.
  isEntry: (entry) => !entry.includes(','),
})

function origins(entries: readonly string[]): Reading<readonly string[]> {
  const trimmed = entries.map((one) => one.trim())
  for (const [index, origin] of trimmed.entries()) {
    if (origin.includes('*')) return invalid('must list every origin: credentials are never allowed for *')
    if (!isSentByBrowsers(origin))
      return invalid(
        `entry ${index + 1} must be an origin exactly as browsers send it, such as https://app.example`,
      )
  }
  return means([...new Set(trimmed)])
}

function isSentByBrowsers(origin: string): boolean {
  if (APP_ORIGIN.test(origin)) return true
  const reading = originOf(origin)
  return reading.ok && reading.value === origin
}

const proxyCount = integer(0, 10)
const PROXIES = 'must be an integer from 0 to 10, or addresses and networks of proxies such as 10.0.0.0/8'

const proxies = listSetting(networks)

/** A number of proxies, or a list of addresses and networks; in a string, the items are separated by commas. */
export const trustProxy: Reader<TrustProxy, number | readonly string[]> = {
  text: (text, rules) => {
    const counted = proxyCount.text(text, rules)
    return counted.ok ? counted : proxies.text(text, rules)
  },
  option: (value, rules) => {
    if (typeof value === 'number') {
      const counted = proxyCount.option(value, rules)
      return counted.ok ? counted : invalid(PROXIES)
    }
    return Array.isArray(value)
      ? proxies.option(value, rules)
      : wrongType('must be a number, or an array of addresses and networks')
  },
}

function networks(entries: readonly string[]): Reading<TrustProxy> {
  const trimmed = entries.map((one) => one.trim().toLowerCase())
  const at = trimmed.findIndex((one) => !addressNetwork(one))
  if (at < 0) return means(trimmed.length === 0 ? 0 : [...new Set(trimmed)])
  return invalid(
    trimmed.length === 1
      ? PROXIES
      : `entry ${at + 1} must be an address or a network of a proxy, such as 10.0.0.0/8`,
  )
}

const DOMAIN = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/

/** Returns whether the host can be an RP ID of WebAuthn: a domain with a dot, or `localhost`; an address never can. */
export function isRpId(host: string): boolean {
  return host === 'localhost' || (DOMAIN.test(host) && isIP(host) === 0)
}

/** `off`, `on`, or the domain to which passkeys are bound. */
export const passkeys: Reader<string> = textual((text) =>
  ['off', 'on'].includes(text) || isRpId(text)
    ? means(text)
    : invalid('must be off, on, or a domain in lower case such as kennel.example'),
)

/** An address or host name to listen on; an IPv6 address may be enclosed in brackets. */
export const listeningHost: Reader<string> = textual((text) => {
  const host = /^\[(.+)\]$/.exec(text)?.[1] ?? text
  const named = isIP(host) !== 0 || /^[A-Za-z0-9._-]{1,253}$/.test(host)
  return named && URL.canParse(`http://${bracketIpv6(host)}`)
    ? means(host)
    : invalid('must be an address or a host name, without a port')
})

export function localOrigin(host: string, port: number): string {
  return new URL(`http://${bracketIpv6(host)}:${port}`).origin
}

/** Returns true for localhost, 127.0.0.0/8 and [::1], whose traffic never leaves the machine. */
export function isLoopback(origin: string): boolean {
  const { hostname } = new URL(origin)
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}

/** Returns true for the wildcard addresses, which stand for all interfaces; no client can connect to these addresses. */
export function isWildcard(host: string): boolean {
  return ['0.0.0.0', '[::]'].includes(new URL(`http://${bracketIpv6(host)}`).hostname)
}

function bracketIpv6(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
