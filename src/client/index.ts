import { createIdentityClient, type IdentityClient, type IdentityOptions } from './identity.js'
import { createPetClient, type PetClient, type PetOptions } from './pets.js'
import { createKeptLogin, type StorageOptions, channelOf, type TabOptions } from './sharing.js'
import { createSend, placeOf, type TransportOptions } from './transport.js'

/** Entry point `kennel-id/client`: the client for browsers and other runtimes with `fetch`. */
export type {
  Identity,
  Message,
  Pet,
  PetChange,
  PetDraft,
  PetQuery,
  Project,
  ProjectDraft,
  Redemption,
} from './described.js'
export type { LoginOptions } from './held-login.js'
export type {
  FactorCode,
  IdentityClient,
  IdentityOptions,
  LoginChoices,
  LoginProof,
  PasskeyLogin,
  SignUpProof,
} from './identity.js'
export { KennelError, type KennelErrorCode } from './kennel-error.js'
export type { Login, Tokens } from './login.js'
export type { IfMatch, PetClient, PetOptions, PetPage, TaggedPet } from './pets.js'
export type { PasskeyChoices } from './passkey.js'
export type { LoginStorage, StorageOptions, TabOptions } from './sharing.js'
export { createCookieJar, type CookieJar, type TransportOptions } from './transport.js'

/** Options for the transport, for sharing and storing the login, and for the credentials of the pet routes. */
export type KennelClientOptions = TransportOptions &
  IdentityOptions &
  TabOptions &
  StorageOptions & { readonly pets?: PetOptions }

/** The methods for logged-in users and for the pet catalog. */
export type KennelClient = IdentityClient & { readonly pets: PetClient }

/**
 * Creates a client that keeps one login and renews it automatically. In a web page, the client opens a `BroadcastChannel`; call
 * `close()` to close it. Throws a TypeError that names each unknown, missing or malformed option.
 *
 * @example
 * ```ts
 * import { createKennelClient, KennelError } from 'kennel-id/client'
 *
 * const client = createKennelClient({ baseUrl: 'https://kennel.example' })
 * try {
 *   const { user } = await client.login('ada@example.com', 'a long walk in the park')
 *   console.log(user?.email)
 * } catch (error) {
 *   if (error instanceof KennelError) console.log(error.code)
 * }
 * ```
 */
export function createKennelClient(options: KennelClientOptions): KennelClient {
  checkOptions(options)
  const send = createSend(options)
  const place = `kennel-id ${placeOf(options)}`
  const shared = { kept: createKeptLogin(place, options), channel: channelOf(place, options) }
  return { ...createIdentityClient(send, options, shared), pets: createPetClient(send, options.pets ?? {}) }
}

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
