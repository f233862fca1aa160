import type { Bug } from './bug.js'
import { bugsOfApiKeys, bugsOfProjects, bugsOfRoles } from './access.js'
import { bugsOfAccounts } from './accounts.js'
import { bugsOfRevocations, bugsOfSecondFactors } from './logins.js'
import { bugsOfAttempts, bugsOfAudit, bugsOfMailQueue } from './operations.js'
import { bugsOfProofs } from './proofs.js'
import { bugsOfPasskeys } from './passkeys.js'
import { bugsOfPets } from './pets.js'
import { bugsOfSessions } from './sessions.js'
import { bugsOfEveryPort } from './whole-store.js'

/** Every planted bug in a store. */
export const bugsOfStores: readonly Bug[] = [
  ...bugsOfEveryPort,
  ...bugsOfAccounts,
  ...bugsOfSessions,
  ...bugsOfRevocations,
  ...bugsOfSecondFactors,
  ...bugsOfPasskeys,
  ...bugsOfProofs,
  ...bugsOfPets,
  ...bugsOfRoles,
  ...bugsOfApiKeys,
  ...bugsOfProjects,
  ...bugsOfAttempts,
  ...bugsOfMailQueue,
  ...bugsOfAudit,
]
