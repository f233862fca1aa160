import type { Endpoint } from './endpoint.js'
import {
  changePassword,
  confirmLogin,
  deleteAccount,
  exportAccount,
  resetPassword,
} from './endpoints/account.js'
import { adminPage } from './endpoints/admin-page.js'
import { access, permissions } from './endpoints/administration/access.js'
import { audit } from './endpoints/administration/audit.js'
import { invitations, users } from './endpoints/administration/users.js'
import { apiPage } from './endpoints/api-page.js'
import { describe } from './endpoints/describe.js'
import { endSessions, listSessions } from './endpoints/sessions.js'
import { live, ready } from './endpoints/health.js'
import { impersonation, logins } from './endpoints/logins.js'
import { listPets } from './endpoints/list-pets.js'
import { pages } from './endpoints/pages.js'
import { passkeys } from './endpoints/passkeys.js'
import { pets } from './endpoints/pets.js'
import { projects } from './endpoints/projects.js'
import { proofs } from './endpoints/proofs.js'
import { publicKeys, relatedOrigins } from './endpoints/well-known.js'
import { secondFactor } from './endpoints/second-factor.js'

/** Every endpoint of the HTTP interface, in the order of the API description. */
export const ENDPOINTS: readonly Endpoint[] = [
  listPets,
  ...pets,
  ...logins,
  ...secondFactor,
  ...passkeys,
  resetPassword,
  ...proofs,
  changePassword,
  listSessions,
  endSessions,
  exportAccount,
  confirmLogin,
  deleteAccount,
  ...impersonation,
  ...projects,
  permissions,
  ...users,
  ...invitations,
  ...access,
  audit,
  live,
  ready,
  describe,
  publicKeys,
  relatedOrigins,
  ...apiPage,
  ...adminPage,
  ...pages,
]
