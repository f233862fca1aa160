import { createApiKey, listApiKeys, revokeApiKey } from './access/api-keys.js'
import { createRole, listRoles, deleteRole, assignRole } from './access/roles.js'
import { listSessions, revokeSession, revokeSessions } from './access/sessions.js'
import { changeUserEmail } from './accounts/change-user-email.js'
import { createUser } from './accounts/create-users.js'
import { importUsers } from './accounts/import-users.js'
import { deleteUser } from './accounts/remove-account.js'
import { approveUser, disableUser, enableUser } from './accounts/disable-user.js'
import { exportUser } from './accounts/export-user.js'
import { getUser } from './accounts/get-user.js'
import { inviteUser, listInvitations, revokeInvitation, sendInvitation } from './accounts/invitations.js'
import { listDuplicateUsers, listUsers } from './accounts/list-users.js'
import { sendResetMail } from './accounts/send-reset-mail.js'
import { setAllPasswords, setPassword } from './accounts/set-password.js'
import { unlockUser } from './accounts/unlock-user.js'
import { readUserFactor, removeUserFactor } from './accounts/user-factor.js'
import { listUserPasskeys, removeUserPasskey } from './accounts/user-passkeys.js'
import { listAudit } from './audit/list-audit.js'
import { createPet, listPets, patchPet, readPet, readPets, removePet } from './catalogue/pets.js'
import { closeProject, createProject, listProjects, readProject } from './project/projects.js'

/** The operations on pets. */
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
