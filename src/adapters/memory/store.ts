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
import { wrapPort, type PortFunction } from '../../ports/wrap-port.js'
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

  const whileOpen =
    (step: PortFunction): PortFunction =>
    async (...args) => {
      ensureOpen()
      return step(...args)
    }

  return {
    accounts: wrapPort<Accounts>(memoryAccounts(state), whileOpen),
    sessions: wrapPort<Sessions>(memorySessions(state), whileOpen),
    pets: wrapPort<Pets>(memoryPets(), whileOpen),
    roles: wrapPort<Roles>(memoryRoles(state), whileOpen),
    apiKeys: wrapPort<ApiKeys>(memoryApiKeys(state), whileOpen),
    projects: wrapPort<Projects>(memoryProjects(), whileOpen),
    attempts: wrapPort<AttemptLimiter>(memoryAttempts(), whileOpen),
    revocations: wrapPort<Revocations>(memoryRevocations(state), whileOpen),
    audit: wrapPort<AuditLog>(memoryAuditLog(), whileOpen),
    mailQueue: wrapPort<MailQueue>(memoryMailQueue(), whileOpen),
    ready: async () => ensureOpen(),
    close: async () => {
      open = false
    },
  }
}
