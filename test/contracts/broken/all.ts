import { brokenRemovals } from './accounts/removals.js'
import { brokenForgetting } from './audit-log/forgetting.js'
import { brokenMailQueueAddresses } from './mail-queue/addresses.js'
import { brokenApiKeys } from './api-keys/api-keys.js'
import { brokenProjects } from './projects/projects.js'
import { brokenProjectReads } from './projects/reads.js'
import { brokenRoles } from './roles/roles.js'
import { brokenAccountLocks } from './accounts/locks.js'
import { brokenAccountRoles } from './accounts/roles.js'
import { brokenAccountSearches } from './accounts/searches.js'
import { brokenAccounts } from './accounts/accounts.js'
import { brokenAttempts } from './attempt-limiter/attempt-limiter.js'
import { brokenAuditLogs } from './audit-log/audit-log.js'
import { brokenAuditPages } from './audit-log/pages.js'
import type { Breakage } from './breakage.js'
import { brokenIdempotency } from './pets/idempotency.js'
import { brokenMailClaims } from './mail-queue/claims.js'
import { brokenMailQueueDiscards } from './mail-queue/discards.js'
import { brokenMailQueues } from './mail-queue/mail-queue.js'
import { brokenPasswordResets } from './accounts/password-resets.js'
import { brokenPasswordChanges } from './accounts/password-changes.js'
import { brokenPetRemovals } from './pets/removals.js'
import { brokenPets } from './pets/pets.js'
import { brokenLoginRotations } from './revocations/login-rotation.js'
import { brokenRevocationOutcomes } from './revocations/outcomes.js'
import { brokenRevocationPurges } from './revocations/purges.js'
import { brokenRevocations } from './revocations/revocations.js'
import { brokenSecondFactors } from './second-factors/second-factors.js'
import { brokenRotation } from './sessions/rotation.js'
import { brokenSessionActors } from './sessions/actors.js'
import { brokenSessionOpenings } from './sessions/openings.js'
import { brokenSessionPages } from './sessions/pages.js'
import { brokenSomeEnds } from './sessions/some-ends.js'
import { brokenEndAllOf } from './sessions/end-all.js'
import { brokenSessions } from './sessions/sessions.js'
import { brokenStores } from './store/store.js'

export const breakages: readonly Breakage[] = [
  ...brokenStores,
  ...brokenAccounts,
  ...brokenAccountRoles,
  ...brokenAccountSearches,
  ...brokenAccountLocks,
  ...brokenPasswordChanges,
  ...brokenPasswordResets,
  ...brokenSessions,
  ...brokenSessionOpenings,
  ...brokenSomeEnds,
  ...brokenEndAllOf,
  ...brokenSessionPages,
  ...brokenSessionActors,
  ...brokenRotation,
  ...brokenRemovals,
  ...brokenForgetting,
  ...brokenMailQueueAddresses,
  ...brokenRevocations,
  ...brokenLoginRotations,
  ...brokenRevocationOutcomes,
  ...brokenRevocationPurges,
  ...brokenSecondFactors,
  ...brokenAttempts,
  ...brokenMailQueues,
  ...brokenMailQueueDiscards,
  ...brokenMailClaims,
  ...brokenAuditLogs,
  ...brokenAuditPages,
  ...brokenPets,
  ...brokenIdempotency,
  ...brokenPetRemovals,
  ...brokenRoles,
  ...brokenApiKeys,
  ...brokenProjects,
  ...brokenProjectReads,
]
