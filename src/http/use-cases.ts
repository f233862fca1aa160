import type { AbsentWithout, Offered, UseCases } from '../application/use-cases.js'
import type { OptionalPort } from '../ports/store.js'

/** Everything that the HTTP adapter can ask of the application. */
export type HttpUseCases = Pick<
  UseCases,
  | 'authorize'
  | 'authenticatePetClient'
  | 'listPets'
  | 'createPet'
  | 'readPet'
  | 'readPets'
  | 'patchPet'
  | 'removePet'
  | 'checkAccessToken'
  | 'authenticate'
  | 'login'
  | 'getIdentity'
  | 'refresh'
  | 'logout'
  | 'deleteAccount'
  | 'requestPasswordReset'
  | 'consumeResetToken'
  | 'changePassword'
  | 'listOwnSessions'
  | 'endOwnSessions'
  | 'readSecondFactor'
  | 'setUpSecondFactor'
  | 'confirmSecondFactor'
  | 'removeSecondFactor'
  | 'renewRecoveryCodes'
  | 'loginAs'
  | 'logoutAs'
  | 'createProject'
  | 'listProjects'
  | 'readProject'
  | 'closeProject'
>

/** The same of a store that may lack ports: what needs one of those is absent, and so are its endpoints. */
export type OfferedHttpUseCases = Offered<HttpUseCases>

/** One that may be absent. */
export type AbsentHttpUseCase = keyof HttpUseCases & AbsentWithout<OptionalPort>
