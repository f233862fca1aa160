import { createApiKey, listApiKeys, revokeApiKey } from './access/api-keys.js'
import { createRole, listRoles, deleteRole, assignRole } from './access/roles.js'
import { listSessions, revokeSession, revokeSessions } from './access/sessions.js'
import { exportUser } from './accounts/export-user.js'
import { importUsers } from './accounts/import-users.js'
import { inviteUser, listInvitations, revokeInvitation, sendInvitation } from './accounts/invitations.js'
import { getUser, listDuplicateUsers, listUsers } from './accounts/list-users.js'
import {
  readUserFactor,
  removeUserFactor,
  listUserPasskeys,
  removeUserPasskey,
} from './accounts/user-factors.js'
import { sendResetMail, setAllPasswords, setPassword } from './accounts/user-passwords.js'
import { approveUser, disableUser, enableUser, unlockUser } from './accounts/user-state.js'
import { changeUserEmail, createUser, deleteUser } from './accounts/users.js'
import { listAudit } from './audit/list-audit.js'
import { createPet, listPets, patchPet, readPet, readPets, removePet } from './catalogue/pets.js'
import { closeProject, createProject, listProjects, readProject } from './project/projects.js'

export const PETS = { listPets, createPet, readPet, readPets, patchPet, removePet }

export const PROJECTS = { createProject, listProjects, readProject, closeProject }

/** The operations for operators, on accounts, roles, keys, sessions and the audit log. */
export const ADMINISTRATION = {
  ...{ createUser, setPassword, setAllPasswords, assignRole, listUsers, listDuplicateUsers, getUser },
  ...{
    disableUser,
    enableUser,
    unlockUser,
    changeUserEmail,
    deleteUser,
    exportUser,
    readUserFactor,
    removeUserFactor,
    listUserPasskeys,
    removeUserPasskey,
    sendResetMail,
    importUsers,
    approveUser,
    inviteUser,
    listInvitations,
    sendInvitation,
    revokeInvitation,
  },
  ...{
    createRole,
    listRoles,
    deleteRole,
    createApiKey,
    listApiKeys,
    revokeApiKey,
    listSessions,
    revokeSession,
    revokeSessions,
  },
  listAudit,
}

export const OPERATIONS = { ...PETS, ...PROJECTS, ...ADMINISTRATION }
