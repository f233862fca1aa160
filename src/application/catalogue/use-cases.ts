import { createAuthenticatePetClient } from './authenticate-pet-client.js'
import { createCreatePet } from './create-pet.js'
import { createListPets } from './list-pets.js'
import { createPatchPet } from './patch-pet.js'
import { createReadPet } from './read-pet.js'
import { createReadPets } from './read-pets.js'
import { createRemovePet } from './remove-pet.js'
import { createCloseProject } from '../project/close-project.js'
import { createCreateProject } from '../project/create-project.js'
import { createListProjects } from '../project/list-projects.js'
import { createReadProject } from '../project/read-project.js'
import type { Rows } from '../table.js'

/** What there is of pets and projects. */
export const CATALOGUE = {
  authenticatePetClient: {
    factory: createAuthenticatePetClient,
    parts: ['accounts', 'apiKeys', 'verifications', 'throttle', 'audit', 'clock', 'factorRoles'],
    renamed: { secrets: 'apiKeySecrets', hasher: 'basicHasher', security: 'petSecurity' },
  },
  listPets: { factory: createListPets, parts: ['pets'], permission: ['pets', 'list'] },
  createPet: { factory: createCreatePet, parts: ['pets', 'clock'], permission: ['pets', 'create'] },
  readPet: { factory: createReadPet, parts: ['pets'], permission: ['pets', 'read'] },
  readPets: { factory: createReadPets, parts: ['pets'], permission: ['pets', 'list'] },
  patchPet: { factory: createPatchPet, parts: ['pets'], permission: ['pets', 'update'] },
  removePet: { factory: createRemovePet, parts: ['pets'], permission: ['pets', 'delete'] },
  createProject: {
    factory: createCreateProject,
    parts: ['projects', 'clock'],
    permission: ['project', 'create'],
  },
  listProjects: { factory: createListProjects, parts: ['projects'], permission: ['project', 'list'] },
  readProject: { factory: createReadProject, parts: ['projects'], permission: ['project', 'read'] },
  closeProject: {
    factory: createCloseProject,
    parts: ['projects', 'clock'],
    permission: ['project', 'close'],
  },
} as const satisfies Rows
