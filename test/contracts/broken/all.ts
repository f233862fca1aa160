import { brokenApiKeys, brokenRoles } from './access.js'
import { brokenAccountChanges } from './account-changes.js'
import { brokenAccounts } from './accounts.js'
import { brokenAttempts } from './attempt-limiter.js'
import { brokenAuditLogs } from './audit-log.js'
import { brokenLoginRotations } from './login-rotation.js'
import { brokenMailQueues } from './mail-queue.js'
import { brokenPasswordResets } from './password-resets.js'
import { brokenPetRemovals } from './pet-removals.js'
import { brokenPets } from './pets.js'
import { brokenProjects } from './projects.js'
import { brokenRevocations } from './revocations.js'
import { brokenSecondFactors } from './second-factors.js'
import { brokenSessionActors } from './session-actors.js'
import { brokenSessionEnds } from './session-ends.js'
import { brokenRotation } from './session-rotation.js'
import { brokenSessions } from './sessions.js'
import { brokenStores } from './store.js'
import type { Breakage } from './breakage.js'

export const breakages: readonly Breakage[] = [
  ...brokenAccounts,
  ...brokenAccountChanges,
  ...brokenPasswordResets,
  ...brokenSessions,
  ...brokenSessionEnds,
  ...brokenSessionActors,
  ...brokenRotation,
  ...brokenRevocations,
  ...brokenLoginRotations,
  ...brokenSecondFactors,
  ...brokenAttempts,
  ...brokenMailQueues,
  ...brokenAuditLogs,
  ...brokenPets,
  ...brokenPetRemovals,
  ...brokenProjects,
  ...brokenRoles,
  ...brokenApiKeys,
  ...brokenStores,
]
