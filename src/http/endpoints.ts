import type { Endpoint } from './endpoint.js'
import { adminPage } from './endpoints/admin-page.js'
import { access } from './endpoints/administration/access.js'
import { audit } from './endpoints/administration/audit.js'
import { permissions } from './endpoints/administration/permissions.js'
import { users } from './endpoints/administration/users.js'
import { apiPage } from './endpoints/api-page.js'
import { changePassword } from './endpoints/change-password.js'
import { closeProject } from './endpoints/close-project.js'
import { confirmSecondFactor } from './endpoints/confirm-second-factor.js'
import { createPet } from './endpoints/create-pet.js'
import { createProject } from './endpoints/create-project.js'
import { deleteAccount } from './endpoints/delete-account.js'
import { describe } from './endpoints/describe.js'
import { endSessions } from './endpoints/end-sessions.js'
import { getIdentity } from './endpoints/get-identity.js'
import { listPets } from './endpoints/list-pets.js'
import { listProjects } from './endpoints/list-projects.js'
import { listSessions } from './endpoints/list-sessions.js'
import { live } from './endpoints/live.js'
import { loginAs } from './endpoints/login-as.js'
import { login } from './endpoints/login.js'
import { logoutAs } from './endpoints/logout-as.js'
import { logout } from './endpoints/logout.js'
import { patchPet } from './endpoints/patch-pet.js'
import { publicKeys } from './endpoints/public-keys.js'
import { readPet } from './endpoints/read-pet.js'
import { readProject } from './endpoints/read-project.js'
import { readSecondFactor } from './endpoints/read-second-factor.js'
import { ready } from './endpoints/ready.js'
import { refresh } from './endpoints/refresh.js'
import { removePet } from './endpoints/remove-pet.js'
import { removeSecondFactor } from './endpoints/remove-second-factor.js'
import { renewRecoveryCodes } from './endpoints/renew-recovery-codes.js'
import { resetPassword } from './endpoints/reset-password.js'
import { setUpSecondFactor } from './endpoints/set-up-second-factor.js'

/** Every endpoint of the HTTP interface, in the order of its description. */
export const ENDPOINTS: readonly Endpoint[] = [
  listPets,
  createPet,
  readPet,
  patchPet,
  removePet,
  login,
  getIdentity,
  refresh,
  logout,
  readSecondFactor,
  setUpSecondFactor,
  confirmSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  resetPassword,
  changePassword,
  listSessions,
  endSessions,
  deleteAccount,
  loginAs,
  logoutAs,
  createProject,
  listProjects,
  readProject,
  closeProject,
  permissions,
  ...users,
  ...access,
  audit,
  live,
  ready,
  describe,
  publicKeys,
  ...apiPage,
  ...adminPage,
]
