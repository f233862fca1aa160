import type { components, paths } from './api.js'

type Json<T> = T extends { content: { 'application/json': infer Body } } ? Body : never

/** Paths that take a POST, and what a POST there takes and answers. */
export type PostPath = { [P in keyof paths]: paths[P] extends { post: unknown } ? P : never }[keyof paths]
export type Asked<P extends PostPath> = paths[P]['post'] extends { requestBody?: infer B } ? Json<B> : never
type Answered<O extends { responses: object }> = Json<O['responses'][keyof O['responses']]>

type Schemas = components['schemas']

/** What each kind of call answers; the compiler stops a description that says something else. */
export type IdentityEnvelope = Answered<
  | paths['/api/auth/login' | '/api/auth/refresh' | '/api/auth/logout']['post']
  | paths['/api/auth/get-identity']['get']
>
export type ProjectEnvelope = Answered<paths['/api/project/create']['post']>
/**
 * Which page: at most `limit` pets, after the place that `cursor` holds.
 *
 * @useDeclaredType
 */
export type PetQuery = Omit<NonNullable<paths['/v1/pets']['get']['parameters']['query']>, 'ids'>

/**
 * Who is logged in, as the service shows it, without the tokens.
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
export type Pet = Answered<paths['/v1/pets/{petId}']['get']>
/**
 * A pet to be created.
 *
 * @useDeclaredType
 */
export type PetDraft = Asked<'/v1/pets'>
/**
 * Traits of a cat or of a dog; what is null is taken away.
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
export type ProjectDraft = Asked<'/api/project/create'>
/**
 * What consumes a reset token.
 *
 * @useDeclaredType
 */
export type Redemption = Required<Asked<'/api/auth/reset-password'>>
/**
 * The second factor of an account.
 *
 * @useDeclaredType
 */
export type SecondFactor = Schemas['SecondFactor']
/**
 * What an authenticator app is given: the QR code is the text of an SVG image, and says the URI, which has the secret.
 *
 * @useDeclaredType
 */
export type FactorSetUp = Omit<Answered<paths['/api/auth/second-factor/set-up']['post']>['view'], 'messages'>
/**
 * A session of the own account; `current` is the one that asks.
 *
 * @useDeclaredType
 */
export type OwnSession = Schemas['OwnSession']
/**
 * Which page: at most `limit` sessions, after the place that `cursor` holds.
 *
 * @useDeclaredType
 */
export type SessionQuery = NonNullable<paths['/api/auth/sessions']['get']['parameters']['query']>
