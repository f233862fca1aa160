import { brokenApiKeys, brokenProjects, brokenRoles } from './access.js'
import { brokenAccounts } from './accounts.js'
import type { Breakage } from './breakage.js'
import { brokenIdempotency } from './idempotency.js'
import { brokenPets } from './pets.js'
import { brokenRotation } from './rotation.js'
import { brokenSessions } from './sessions.js'
import { brokenStores } from './whole.js'

export const breakages: readonly Breakage[] = [
  ...brokenStores,
  ...brokenAccounts,
  ...brokenSessions,
  ...brokenRotation,
  ...brokenPets,
  ...brokenIdempotency,
  ...brokenRoles,
  ...brokenApiKeys,
  ...brokenProjects,
]
