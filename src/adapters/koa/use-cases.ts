import type { Authorize } from '../../application/access/authorize.js'
import type { AuthenticatePetClient } from '../../application/catalogue/authenticate-pet-client.js'
import type { CreatePet } from '../../application/catalogue/create-pet.js'
import type { ListPets } from '../../application/catalogue/list-pets.js'
import type { PatchPet } from '../../application/catalogue/patch-pet.js'
import type { ReadPet } from '../../application/catalogue/read-pet.js'
import type { ReadPets } from '../../application/catalogue/read-pets.js'
import type { Authenticate } from '../../application/identity/authenticate.js'
import type { CheckAccessToken } from '../../application/identity/check-access-token.js'
import type { GetIdentity } from '../../application/identity/get-identity.js'
import type { Login } from '../../application/identity/login.js'
import type { Logout } from '../../application/identity/logout.js'
import type { LoginAs } from '../../application/identity/impersonation/login-as.js'
import type { LogoutAs } from '../../application/identity/impersonation/logout-as.js'
import type { RequestPasswordReset } from '../../application/identity/password-reset/request-password-reset.js'
import type { ConsumeResetToken } from '../../application/identity/password-reset/consume-reset-token.js'
import type { Refresh } from '../../application/identity/refresh.js'
import type { CreateProject } from '../../application/project/create-project.js'

/** Everything that the HTTP adapter can ask of the application. */
export type HttpUseCases = {
  readonly authorize: Authorize
  readonly authenticatePetClient: AuthenticatePetClient
  readonly listPets: ListPets
  readonly createPet: CreatePet
  readonly readPet: ReadPet
  readonly readPets: ReadPets
  readonly patchPet: PatchPet
  readonly checkAccessToken: CheckAccessToken
  readonly authenticate: Authenticate
  readonly login: Login
  readonly getIdentity: GetIdentity
  readonly refresh: Refresh
  readonly logout: Logout
  readonly requestPasswordReset: RequestPasswordReset
  readonly consumeResetToken: ConsumeResetToken
  readonly loginAs: LoginAs
  readonly logoutAs: LogoutAs
  readonly createProject: CreateProject
}
