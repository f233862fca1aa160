import type { components, Replies, Requests } from './api.js'

type Schemas = components['schemas']

/** Paths of the API that accept POST requests. */
export type PostPath = keyof Requests
/** The JSON body of a POST to this path. */
export type RequestBody<P extends PostPath> = Requests[P]

export type IdentityEnvelope = Replies['login' | 'refresh' | 'logout' | 'getIdentity']
export type ProjectEnvelope = Replies['createProject']
/** Selects a page of at most `limit` pets after the position in `cursor`. */
export type PetQuery = { readonly limit?: number; readonly cursor?: string }

/** The logged-in account in the form that the service returns, without the tokens. @useDeclaredType */
export type Identity = Omit<IdentityEnvelope['view'], 'jwt' | 'refreshToken'>
/** One reason for a refusal. @useDeclaredType */
export type Message = Schemas['Message']
/** A pet of the catalog, with its traits as members. @useDeclaredType */
export type Pet = Replies['readPet']
/** The data of a new pet. @useDeclaredType */
export type PetDraft = Schemas['PetDraft']
/** New traits of a cat or a dog; `null` removes a trait. @useDeclaredType */
export type PetChange = Schemas['PetMergePatch']
/** A saved project. @useDeclaredType */
export type Project = Schemas['Project']
/** The data of a new project. @useDeclaredType */
export type ProjectDraft = Schemas['ProjectDraft']
/** A reset token, the email that it was sent to, and the new password. @useDeclaredType */
export type Redemption = Required<Schemas['ResetPasswordRequest']>
/** The state of an account's second factor. @useDeclaredType */
export type SecondFactor = Schemas['SecondFactor']
/** Data for an authenticator app: the secret, an otpauth URI, and the URI as a QR code (the text of an SVG image). @useDeclaredType */
export type FactorSetUp = Omit<Replies['setUpSecondFactor']['view'], 'messages'>
/** A passkey of the user's account; `lastUsedAt` is `null` until the first login with it. @useDeclaredType */
export type Passkey = Schemas['Passkey']
/** A session of the user's account; `current` marks the session that sent the request. @useDeclaredType */
export type OwnSession = Schemas['OwnSession']
/** Selects a page of at most `limit` sessions after the position in `cursor`. */
export type SessionQuery = { readonly limit?: number; readonly cursor?: string }
