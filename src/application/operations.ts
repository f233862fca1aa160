import { createApiKey } from './access/create-api-key.js'
import { createRole } from './access/create-role.js'
import { listApiKeys } from './access/list-api-keys.js'
import { listRoles } from './access/list-roles.js'
import { listSessions } from './access/list-sessions.js'
import { revokeApiKey } from './access/revoke-api-key.js'
import { revokeSessions } from './access/revoke-sessions.js'
import { assignRole } from './accounts/assign-role.js'
import { createUser } from './accounts/create-user.js'
import { deleteUser } from './accounts/delete-user.js'
import { disableUser, enableUser } from './accounts/disable-user.js'
import { exportUser } from './accounts/export-user.js'
import { getUser } from './accounts/get-user.js'
import { importUsers } from './accounts/import-users.js'
import { listDuplicateUsers } from './accounts/list-duplicate-users.js'
import { listUsers } from './accounts/list-users.js'
import { setAllPasswords } from './accounts/set-all-passwords.js'
import { setPassword } from './accounts/set-password.js'
import { readUserFactor, removeUserFactor } from './accounts/user-factor.js'
import { listAudit } from './audit/list-audit.js'
import { createPet } from './catalogue/create-pet.js'
import { listPets } from './catalogue/list-pets.js'
import { patchPet } from './catalogue/patch-pet.js'
import { readPet } from './catalogue/read-pet.js'
import { readPets } from './catalogue/read-pets.js'
import { removePet } from './catalogue/remove-pet.js'
import { closeProject } from './project/close-project.js'
import { createProject } from './project/create-project.js'
import { listProjects } from './project/list-projects.js'
import { readProject } from './project/read-project.js'

export const PETS = { listPets, createPet, readPet, readPets, patchPet, removePet }

export const PROJECTS = { createProject, listProjects, readProject, closeProject }

/** The operations of operators, with accounts, roles, keys, sessions and the audit log. */
export const ADMINISTRATION = {
  ...{ createUser, setPassword, setAllPasswords, assignRole, listUsers, listDuplicateUsers, getUser },
  ...{ disableUser, enableUser, deleteUser, exportUser, readUserFactor, removeUserFactor, importUsers },
  ...{ createRole, listRoles, createApiKey, listApiKeys, revokeApiKey, listSessions, revokeSessions },
  listAudit,
}

export const OPERATIONS = { ...PETS, ...PROJECTS, ...ADMINISTRATION }
