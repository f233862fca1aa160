import { brokenApiKeys, brokenProjects, brokenRoles } from './access.js'
import { brokenAccountEpochs } from './account-epochs.js'
import { brokenAccountLocks } from './account-locks.js'
import { brokenAccountRoles } from './account-roles.js'
import { brokenAccounts } from './accounts.js'
import { brokenAttempts } from './attempts.js'
import type { Breakage } from './breakage.js'
import { brokenIdempotency } from './idempotency.js'
import { brokenPets } from './pets.js'
import { brokenRevocationPurges } from './revocation-purges.js'
import { brokenRevocations } from './revocations.js'
import { brokenRotation } from './rotation.js'
import { brokenSessionPages } from './session-pages.js'
import { brokenSessions } from './sessions.js'
import { brokenStores } from './whole.js'

export const breakages: readonly Breakage[] = [
  ...brokenStores,
  ...brokenAccounts,
  ...brokenAccountRoles,
  ...brokenAccountLocks,
  ...brokenAccountEpochs,
  ...brokenSessions,
  ...brokenSessionPages,
  ...brokenRotation,
  ...brokenRevocations,
  ...brokenRevocationPurges,
  ...brokenAttempts,
  ...brokenPets,
  ...brokenIdempotency,
  ...brokenRoles,
  ...brokenApiKeys,
  ...brokenProjects,
]
