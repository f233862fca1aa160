import { wrongCredentials, type AuthenticateApiKey } from '../application/access/authenticate-api-key.js'
import type { ClientContext } from '../application/client-context.js'
import { malformed, readable } from '../application/fields.js'
import type { GetIdentity, IdentifyPage } from '../application/identity/get-identity.js'
import type { ApiKeyIdentity, Identity } from '../domain/access/caller.js'
import { MUST_BE, REQUIRED, unknownFields } from '../domain/messages.js'
import { readPetCredentials, readPresented, readSessionKey } from '../http/request/credentials.js'
import { cookieName, type HttpSettings } from '../http/parts.js'
import { isPromise } from '../composition-root/custom-parts/check.js'

/** Headers of fetch. */
export type FetchHeaders = {
  /** Returns the value of a header, or the joined values if the header is repeated; returns null if it is missing. */
  get(name: string): string | null
}
/** Headers of a Node request, keyed by name in any case. */
export type NodeHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * A fetch `Request`, a Node request, or a framework's request with a `headers` property like that of a Node request. A Node request reveals
 * that two headers have the same name; its `headers` object alone does not contain the second `Authorization` header.
 */
export type IncomingRequest = {
  readonly headers: FetchHeaders | NodeHeaders
  readonly rawHeaders?: readonly string[]
  readonly method?: string | undefined
}

/** A request, or its headers. */
export type CredentialSource = IncomingRequest | FetchHeaders | NodeHeaders

/** A request for a page, or its `Cookie` header; with the header alone, the method is GET by default. */
export type PageRequest =
  IncomingRequest | { readonly cookie: string | null | undefined; readonly method?: string | undefined }

/** Which credentials `identify` accepts. */
export type IdentifyOptions = {
  /**
   * Whether a request may have an API key instead of a login; false by default. If the request has an API key and a login, only the API key
   * counts.
   */
  readonly apiKeys?: boolean | undefined
}

/** Identifies the sender of a request; `client` is recorded in the audit log. */
export type Identification = {
  identify(
    request: CredentialSource,
    client: ClientContext | undefined,
    options: IdentifyOptions,
  ): Promise<Identity | ApiKeyIdentity>
  identify(request: CredentialSource, client?: ClientContext): Promise<Identity>
  identifyPage(request: PageRequest, client?: ClientContext): Promise<Identity>
}

type UseCases = {
  readonly getIdentity: GetIdentity
  readonly identifyPage: IdentifyPage
  /** Absent if the store has no API keys. */
  readonly authenticateApiKey?: AuthenticateApiKey | undefined
}
type Settings = Pick<HttpSettings, 'authorizationHeader' | 'cookie' | 'petsApiKeyHeader' | 'stateless'>

/** Reads credentials in the same way as the HTTP interface. */
export function createIdentification(useCases: UseCases, settings: Settings): Identification {
  const header = settings.authorizationHeader.toLowerCase()
  const cookie = cookieName(settings.cookie)
  const schemes = { apiKeyHeader: settings.petsApiKeyHeader.toLowerCase(), basic: false }
  const { authenticateApiKey = refuseApiKeys } = useCases

  async function loggedIn(request: CredentialSource, client: ClientContext | undefined): Promise<Identity> {
    const [values, cookies] = [valuesOf(request, header), valuesOf(request, 'cookie')]
    const source = { headerValues: () => values, header: () => joined(cookies) }
    const { bearer, sessionKey } = readPresented(source, header, settings.stateless ? undefined : cookie)
    return await useCases.getIdentity({ accessToken: bearer, sessionKey, client })
  }

  async function identify(request: CredentialSource, client?: ClientContext, options: IdentifyOptions = {}) {
    const headerValues = (name: string) => valuesOf(request, name)
    const { apiKey } = options.apiKeys ? readPetCredentials({ headerValues }, schemes) : {}
    return await (apiKey === undefined ? loggedIn(request, client) : authenticateApiKey(apiKey))
  }

  return {
    identify: identify as Identification['identify'],
    identifyPage: async (request, client) => {
      const { cookies, method } = pageOf(request)
      return await useCases.identifyPage({
        sessionKey: readSessionKey(joined(cookies), cookie),
        method,
        client,
      })
    },
  }
}

function refuseApiKeys(): never {
  throw wrongCredentials('the store has no API keys')
}

/** Rejects any other object, including a promise of a request, because it would look like a request without credentials. */
export function isCredentialSource(value: unknown): boolean {
  if (!isObject(value) || isPromise(value)) return false
  if (('headers' in value && isObject(value.headers)) || isFetch(value)) return true
  const prototype: unknown = Object.getPrototypeOf(value)
  return !isObject(prototype) || Object.getPrototypeOf(prototype) === null
}

/** Several `Cookie` headers are joined into one, as in Node. */
function joined(cookies: readonly string[]): string | undefined {
  return cookies.length === 0 ? undefined : cookies.join('; ')
}

function pageOf(request: PageRequest): { readonly cookies: readonly string[]; readonly method: string } {
  const isWhole = readable(() => 'headers' in request && isObject(request.headers))
  const { method = isWhole ? undefined : 'GET' } = readable(() => ({ method: request.method }))
  if (typeof method !== 'string') throw malformed('method', MUST_BE.string)
  if (isWhole) return { cookies: valuesOf(request, 'cookie'), method }
  const known = ['cookie', 'method']
  if (!readable(() => 'cookie' in request)) throw malformed('cookie', REQUIRED)
  const others = readable(() => Object.keys(request).filter((name) => !known.includes(name)))
  // A headers object is rejected: without a method, a POST request would be accepted like a GET request.
  if (others.length > 0) throw malformed('', unknownFields(others, known))
  const cookie = readable(() => (request as { readonly cookie?: unknown }).cookie)
  return { cookies: texts('cookie', cookie === null || cookie === undefined ? [] : [cookie]), method }
}

/**
 * Returns all values of the header with this lower-case name. If a header is repeated, fetch joins its values into one string, which
 * is not a valid value.
 */
function valuesOf(source: object, name: string): readonly string[] {
  return texts(
    `headers.${name}`,
    readable(() => {
      const { headers, rawHeaders } = source as Readonly<Record<string, unknown>>
      if (isList(rawHeaders) && rawHeaders.length > 0) return valuesIn(pairsOf(rawHeaders), name)
      const held = isObject(headers) ? headers : source
      if (isFetch(held)) {
        const value: unknown = held.get(name)
        return value === null || value === undefined ? [] : [value]
      }
      return valuesIn(Object.entries(held), name)
    }),
  )
}

function isFetch(headers: object): headers is FetchHeaders {
  return 'get' in headers && typeof headers.get === 'function'
}

type Pair = readonly [name: unknown, value: unknown]

function valuesIn(pairs: readonly Pair[], wanted: string): unknown[] {
  return pairs.flatMap(([name, value]) => {
    if (typeof name !== 'string' || name.toLowerCase() !== wanted || value === undefined) return []
    return isList(value) ? [...value] : [value]
  })
}

function pairsOf(raw: readonly unknown[]): Pair[] {
  return raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1]] as const] : []))
}

/** Maximum length of a header list; no real request has a longer list. */
const LIST_MAX = 20_000

function isList(value: unknown): value is readonly unknown[] {
  if (!Array.isArray(value)) return false
  if (value.length > LIST_MAX) throw new RangeError('too long')
  return true
}

function texts(field: string, values: readonly unknown[]): readonly string[] {
  if (values.every((value) => typeof value === 'string')) return values
  throw malformed(field, MUST_BE.string)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
