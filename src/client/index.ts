import { createIdentityClient, type IdentityClient, type IdentityOptions } from './identity.js'
import { checkOptions } from './options.js'
import { createPetClient, type PetClient, type PetOptions } from './pets.js'
import { createSend, type TransportOptions } from './transport.js'

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
export type { IdentityClient, IdentityOptions } from './identity.js'
export { KennelError, type KennelErrorCode } from './kennel-error.js'
export type { LoginOptions, Tokens } from './login-state.js'
export type { PetClient, PetOptions, PetPage, TaggedPet } from './pets.js'
export type { TransportOptions } from './transport.js'

/** Where the service is, how a login is carried, and the credentials of the pet routes. */
export type KennelClientOptions = TransportOptions & IdentityOptions & { readonly pets?: PetOptions }

/** A service of Kennel, as one who logs in and one who keeps pets see it. */
export type KennelClient = IdentityClient & { readonly pets: PetClient }

/**
 * A client that keeps one login: in memory, renewed by itself. It opens nothing and needs no closing. Throws
 * a TypeError that names every option that is unknown, missing or of another form.
 */
export function createKennelClient(options: KennelClientOptions): KennelClient {
  checkOptions(options)
  const send = createSend(options)
  return { ...createIdentityClient(send, options), pets: createPetClient(send, options.pets ?? {}) }
}
