import { unavailable } from '../../domain/refusal.js'
import type { Accounts } from '../../ports/accounts.js'
import type { ApiKeys } from '../../ports/api-keys.js'
import type { AttemptLimiter } from '../../ports/attempt-limiter.js'
import type { AuditLog } from '../../ports/audit-log.js'
import type { MailQueue } from '../../ports/mail-queue.js'
import type { Pets } from '../../ports/pets.js'
import type { Projects } from '../../ports/projects.js'
import type { Revocations } from '../../ports/revocations.js'
import type { Roles } from '../../ports/roles.js'
import type { Sessions } from '../../ports/sessions.js'
import type { Store } from '../../ports/store.js'
import { memoryAccounts } from './accounts.js'
import { memoryApiKeys } from './api-keys.js'
import { memoryAttempts } from './attempt-limiter.js'
import { memoryAuditLog } from './audit-log.js'
import { memoryMailQueue } from './mail-queue.js'
import { memoryPets } from './pets.js'
import { memoryProjects } from './projects.js'
import { memoryRevocations } from './revocations.js'
import { memoryRoles } from './roles.js'
import { memorySessions } from './sessions.js'
import { createState } from './state.js'
import { asPort } from './sync-port.js'

/**
 * A store in the memory of this process: for tests, trials and embedders who keep nothing.
 * It keeps the laws of every other store; what it holds is gone with the process.
 */
export function createMemoryStore(): Store {
  const state = createState()
  let open = true

  function ensureOpen(): void {
    if (!open) throw unavailable('the memory store is closed')
  }

  return {
    accounts: asPort<Accounts>(memoryAccounts(state), ensureOpen),
    sessions: asPort<Sessions>(memorySessions(state), ensureOpen),
    pets: asPort<Pets>(memoryPets(), ensureOpen),
    roles: asPort<Roles>(memoryRoles(state), ensureOpen),
    apiKeys: asPort<ApiKeys>(memoryApiKeys(state), ensureOpen),
    projects: asPort<Projects>(memoryProjects(), ensureOpen),
    attempts: asPort<AttemptLimiter>(memoryAttempts(), ensureOpen),
    revocations: asPort<Revocations>(memoryRevocations(state), ensureOpen),
    audit: asPort<AuditLog>(memoryAuditLog(), ensureOpen),
    mailQueue: asPort<MailQueue>(memoryMailQueue(), ensureOpen),
    ready: async () => ensureOpen(),
    close: async () => {
      open = false
    },
  }
}
