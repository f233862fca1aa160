/**
 * Exports every operation and every shared part, for a program that composes operations itself instead of opening a Kennel:
 * `operations.listPets.factory({ pets, authorize })`. Parts are ports from `kennel-id/ports` and other parts from this list; inputs and
 * results are types from `kennel-id`.
 */
import { HAND_MADE, STATELESS_MADE } from './wiring.js'

/** The name of an operation or of a part. */
export type OperationName = keyof typeof HAND_MADE
/** The name of an operation or part that stateless mode replaces. */
export type StatelessName = keyof typeof STATELESS_MADE

/** The function of an operation, such as `UseCase<'listPets'>`, or the value of a part. */
export type UseCase<Name extends OperationName> = ReturnType<(typeof HAND_MADE)[Name]['factory']>
/** The parts that an operation requires, such as `PartsOf<'listPets'>`. */
export type PartsOf<Name extends OperationName> = Parameters<(typeof HAND_MADE)[Name]['factory']>[0]

/** Every operation and every part of a service with sessions, each with the `factory` that creates it from its parts. */
export const operations: {
  readonly [Name in OperationName]: Pick<(typeof HAND_MADE)[Name], 'factory'>
} = HAND_MADE

/** The operations and parts of stateless mode, which replace the operations and parts with the same names. */
export const statelessOperations: {
  readonly [Name in StatelessName]: Pick<(typeof STATELESS_MADE)[Name], 'factory'>
} = STATELESS_MADE

export { createAuthorize, type Authorize } from './access/authorize.js'
export { createTokenSigner, type Authenticated, type TokenSignerParts } from './identity/token-signer.js'
export type { Lifetimes } from '../domain/identity/session.js'
export type { ImportUser } from './accounts/import-users.js'
export type { DuplicateUser } from './accounts/list-users.js'
export type { AuthenticatePetClient } from './catalogue/authenticate-pet-client.js'
export type { CheckAccessToken } from './identity/presented.js'
export type { GetIdentity } from './identity/get-identity.js'
export type { CheckedCredentials } from './identity/presented.js'
export type { PermissionError } from '../domain/access/components.js'
export { compilePermissions, type Permissions } from '../domain/access/permissions.js'
