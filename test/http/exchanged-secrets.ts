import type { Call, Reply } from '../support/http/client.js'
import type { Secrets } from '../support/secrets.js'

const API_KEY_HEADERS = ['x-api-key', 'apikeyauth']
const PET_HEADERS = ['authorization', 'basicauth']

/** Remembers the secrets in the headers and the body of a request. */
export function rememberSent(secrets: Secrets, { headers = {}, json, body }: Call): void {
  for (const [name, values] of Object.entries(headers))
    for (const value of [values].flat()) rememberHeader(secrets, name.toLowerCase(), value)
  rememberBody(secrets, json ?? (typeof body === 'string' ? parsed(body) : undefined))
}

/** Remembers every secret that a reply contains. */
export function rememberReceived(secrets: Secrets, { headers, json }: Reply): void {
  for (const line of headers['set-cookie'] ?? []) rememberCookies(secrets, line.split(';', 1))
  const view = memberOf(json, 'view')
  secrets.remember('access token', memberOf(view, 'jwt'))
  secrets.remember('refresh token', memberOf(view, 'refreshToken'))
  rememberFactor(secrets, view)
}

function rememberHeader(secrets: Secrets, name: string, value: string): void {
  const [, bearer] = /^bearer\s+(.*)$/i.exec(value) ?? []
  secrets.remember('access token', bearer)
  if (name === 'user-agent') secrets.remember('User-Agent', value)
  if (name === 'cookie') rememberCookies(secrets, value.split(';'))
  if (API_KEY_HEADERS.includes(name)) secrets.remember('API key', value)
  if (PET_HEADERS.includes(name)) rememberBasic(secrets, value)
}

function rememberCookies(secrets: Secrets, pairs: readonly string[]): void {
  for (const pair of pairs) secrets.remember('session cookie', pair.slice(pair.indexOf('=') + 1).trim())
}

function rememberBasic(secrets: Secrets, value: string): void {
  const basic = value.replace(/^basic\s+/i, '')
  secrets.remember('Basic header', basic)
  const text = Buffer.from(basic, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon >= 0) secrets.remember('password', text.slice(colon + 1))
}

function rememberBody(secrets: Secrets, json: unknown): void {
  secrets.remember('password', memberOf(json, 'password'))
  secrets.remember('password', memberOf(json, 'newPassword'))
  secrets.remember('refresh token', memberOf(json, 'refreshToken'))
  secrets.remember('reset token', memberOf(json, 'resetToken'))
  rememberCode(secrets, memberOf(json, 'code'))
}

/** Remembers a second factor's secret in all forms, and its recovery codes, but not its one-time codes. */
function rememberFactor(secrets: Secrets, view: unknown): void {
  for (const name of ['secret', 'uri', 'qrCode']) secrets.remember('factor secret', memberOf(view, name))
  const codes = memberOf(view, 'recoveryCodes')
  for (const code of Array.isArray(codes) ? (codes as unknown[]) : []) rememberCode(secrets, code)
}

/** Six digits alone are too common to search for, but as a quoted string they occur nowhere else. */
function rememberCode(secrets: Secrets, code: unknown): void {
  if (typeof code !== 'string') return
  if (/^\d{6}$/.test(code)) secrets.remember('one-time code', `"${code}"`)
  else for (const text of [code, code.replaceAll('-', '')]) secrets.remember('recovery code', text)
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
