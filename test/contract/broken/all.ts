import { brokenApiKeys, brokenProjects, brokenRoles } from './access.js'
import { brokenAccountLocks } from './account-locks.js'
import { brokenAccountRoles } from './account-roles.js'
import { brokenAccounts } from './accounts.js'
import { brokenAttempts } from './attempts.js'
import { brokenAuditLogs } from './audit-log.js'
import { brokenAuditPages } from './audit-pages.js'
import type { Breakage } from './breakage.js'
import { brokenIdempotency } from './idempotency.js'
import { brokenMailClaims } from './mail-claims.js'
import { brokenMailQueueDiscards } from './mail-queue-discards.js'
import { brokenMailQueues } from './mail-queue.js'
import { brokenPasswordResets } from './password-resets.js'
import { brokenPets } from './pets.js'
import { brokenRevocationOutcomes } from './revocation-outcomes.js'
import { brokenRevocationPurges } from './revocation-purges.js'
import { brokenRevocations } from './revocations.js'
import { brokenRotation } from './rotation.js'
import { brokenSessionActors } from './session-actors.js'
import { brokenSessionPages } from './session-pages.js'
import { brokenEndAllOf } from './session-end-all.js'
import { brokenSessions } from './sessions.js'
import { brokenStores } from './whole.js'

export const breakages: readonly Breakage[] = [
  ...brokenStores,
  ...brokenAccounts,
  ...brokenAccountRoles,
  ...brokenAccountLocks,
  ...brokenPasswordResets,
  ...brokenSessions,
  ...brokenEndAllOf,
  ...brokenSessionPages,
  ...brokenSessionActors,
  ...brokenRotation,
  ...brokenRevocations,
  ...brokenRevocationOutcomes,
  ...brokenRevocationPurges,
  ...brokenAttempts,
  ...brokenMailQueues,
  ...brokenMailQueueDiscards,
  ...brokenMailClaims,
  ...brokenAuditLogs,
  ...brokenAuditPages,
  ...brokenPets,
  ...brokenIdempotency,
  ...brokenRoles,
  ...brokenApiKeys,
  ...brokenProjects,
]
