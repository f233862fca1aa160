import type { HttpUseCases } from '../adapters/koa/index.js'
import type { AllForCallers } from '../application/access/required-permissions.js'
import type { Resolve } from './container.js'
import { TOKENS } from './tokens.js'

/** What the HTTP adapter asks for, out of the container. */
export function httpUseCases(resolve: Resolve): AllForCallers<HttpUseCases> {
  return {
    authorize: resolve(TOKENS.authorize),
    authenticatePetClient: resolve(TOKENS.authenticatePetClient),
    listPets: resolve(TOKENS.listPets),
    createPet: resolve(TOKENS.createPet),
    readPet: resolve(TOKENS.readPet),
    readPets: resolve(TOKENS.readPets),
    patchPet: resolve(TOKENS.patchPet),
    checkAccessToken: resolve(TOKENS.checkAccessToken),
    authenticate: resolve(TOKENS.authenticate),
    login: resolve(TOKENS.login),
    getIdentity: resolve(TOKENS.getIdentity),
    refresh: resolve(TOKENS.refresh),
    logout: resolve(TOKENS.logout),
    requestPasswordReset: resolve(TOKENS.requestPasswordReset),
    consumeResetToken: resolve(TOKENS.consumeResetToken),
    loginAs: resolve(TOKENS.loginAs),
    logoutAs: resolve(TOKENS.logoutAs),
    createProject: resolve(TOKENS.createProject),
  }
}
