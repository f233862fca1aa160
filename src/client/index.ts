import { createIdentityClient, type IdentityClient, type IdentityOptions } from './identity.js'
import { checkOptions } from './options.js'
import { createPetClient, type PetClient, type PetOptions } from './pets.js'
import { createKeptLogin, type StorageOptions } from './storage.js'
import { channelOf, type TabOptions } from './tabs.js'
import { createSend, placeOf, type TransportOptions } from './transport.js'

/** Entry point `kennel-id/client`: the client for browsers and other runtimes with `fetch`. */
export { createCookieJar, type CookieJar } from './cookie-jar.js'
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
export type { LoginStorage, StorageOptions } from './storage.js'
export type { TabOptions } from './tabs.js'
export type { TransportOptions } from './transport.js'

/** Options for the transport, for the login and how it is shared and stored, and for the credentials of the pet routes. */
export type KennelClientOptions = TransportOptions &
  IdentityOptions &
  TabOptions &
  StorageOptions & { readonly pets?: PetOptions }

/** The methods for logged-in users and for the pet catalog. */
export type KennelClient = IdentityClient & { readonly pets: PetClient }

/**
 * Creates a client that keeps one login and renews it automatically. In a web page, the client opens a `BroadcastChannel`, which the method
 * `close` closes. Throws a TypeError that names each unknown, missing or malformed option.
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
