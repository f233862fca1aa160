import type { components, Replies, Requests } from './api.js'

type Schemas = components['schemas']

/** Paths that take a POST. */
export type PostPath = keyof Requests
/** The JSON body of a POST to this path. */
export type RequestBody<P extends PostPath> = Requests[P]

/** These operations share one reply. */
export type IdentityEnvelope = Replies['login' | 'refresh' | 'logout' | 'getIdentity']
export type ProjectEnvelope = Replies['createProject']
/** A page of at most `limit` pets, after the position that `cursor` holds. */
export type PetQuery = { readonly limit?: number; readonly cursor?: string }

/**
 * The logged-in account as the service shows it, without the tokens.
 *
 * @useDeclaredType
 */
export type Identity = Omit<IdentityEnvelope['view'], 'jwt' | 'refreshToken'>
/**
 * One reason of a refusal.
 *
 * @useDeclaredType
 */
export type Message = Schemas['Message']
/**
 * A pet of the catalogue, its traits among its members.
 *
 * @useDeclaredType
 */
export type Pet = Replies['readPet']
/**
 * A pet to be created.
 *
 * @useDeclaredType
 */
export type PetDraft = Schemas['PetDraft']
/**
 * Traits of a cat or of a dog; `null` removes a trait.
 *
 * @useDeclaredType
 */
export type PetChange = Schemas['PetMergePatch']
/**
 * A project as it was saved.
 *
 * @useDeclaredType
 */
export type Project = Schemas['Project']
/**
 * A project to be created.
 *
 * @useDeclaredType
 */
export type ProjectDraft = Schemas['ProjectDraft']
/**
 * A reset token with its email and the new password.
 *
 * @useDeclaredType
 */
export type Redemption = Required<Schemas['ResetPasswordRequest']>
/**
 * The second factor of an account.
 *
 * @useDeclaredType
 */
export type SecondFactor = Schemas['SecondFactor']
/**
 * Data for an authenticator app: the secret, its URI, and the URI as a QR code (the text of an SVG image).
 *
 * @useDeclaredType
 */
export type FactorSetUp = Omit<Replies['setUpSecondFactor']['view'], 'messages'>
/**
 * A session of the user's account; `current` marks the session that sent the request.
 *
 * @useDeclaredType
 */
export type OwnSession = Schemas['OwnSession']
/** A page of at most `limit` sessions, after the position that `cursor` holds. */
export type SessionQuery = { readonly limit?: number; readonly cursor?: string }
