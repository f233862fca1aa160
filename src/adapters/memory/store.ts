import { unavailable } from '../../domain/refusal.js'
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
import { memorySecondFactors } from './second-factors.js'
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
    accounts: wrapPort<Store['accounts']>(memoryAccounts(state), whileOpen),
    sessions: wrapPort<Store['sessions']>(memorySessions(state), whileOpen),
    pets: wrapPort<Store['pets']>(memoryPets(), whileOpen),
    roles: wrapPort<Store['roles']>(memoryRoles(state), whileOpen),
    apiKeys: wrapPort<Store['apiKeys']>(memoryApiKeys(state), whileOpen),
    projects: wrapPort<Store['projects']>(memoryProjects(), whileOpen),
    attempts: wrapPort<Store['attempts']>(memoryAttempts(), whileOpen),
    revocations: wrapPort<Store['revocations']>(memoryRevocations(state), whileOpen),
    audit: wrapPort<Store['audit']>(memoryAuditLog(), whileOpen),
    mailQueue: wrapPort<Store['mailQueue']>(memoryMailQueue(), whileOpen),
    secondFactors: wrapPort<Store['secondFactors']>(memorySecondFactors(state), whileOpen),
    ready: async () => ensureOpen(),
    close: async () => {
      open = false
    },
  }
}
