import type { UseCases } from '../application/use-cases.js'

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
  | 'checkAccessToken'
  | 'authenticate'
  | 'login'
  | 'getIdentity'
  | 'refresh'
  | 'logout'
  | 'requestPasswordReset'
  | 'consumeResetToken'
  | 'loginAs'
  | 'logoutAs'
  | 'createProject'
>
