import { unavailable } from '../../domain/refusal.js'
import { frozen, frozenCopy } from '../../domain/plain-data.js'
import { wrapStore } from '../../application/wrap-port.js'
import { changePorts, completePort } from '../../ports/given-store.js'
import type { Store } from '../../ports/store.js'
import { memoryAccounts } from './accounts.js'
import { memoryApiKeys } from './api-keys.js'
import { memoryAttempts } from './attempt-limiter.js'
import { memoryAuditLog } from './audit-log.js'
import { memoryMailQueue } from './mail-queue.js'
import { memoryPasskeys } from './passkeys.js'
import { memoryPets } from './pets.js'
import { memoryProofs } from './proofs.js'
import { memoryProjects } from './projects.js'
import { memoryRevocations } from './revocations.js'
import { memoryRoles } from './roles.js'
import { memorySecondFactors } from './second-factors.js'
import { memorySessions } from './sessions.js'
import { createState } from './state.js'

/** Creates a store in memory, for tests, trials and programs that need no persistent data. The returned objects are frozen. */
export function createMemoryStore(): Store {
  const state = createState()
  let open = true

  function ensureOpen(): void {
    if (!open) throw unavailable('the memory store is closed')
  }

  const accounts = memoryAccounts(state)
  const ports = {
    accounts,
    sessions: memorySessions(state),
    pets: memoryPets(),
    roles: memoryRoles(state),
    apiKeys: memoryApiKeys(state),
    projects: memoryProjects(),
    attempts: memoryAttempts(),
    revocations: memoryRevocations(state),
    audit: memoryAuditLog(),
    mailQueue: memoryMailQueue(),
    secondFactors: memorySecondFactors(state),
    passkeys: memoryPasskeys(state),
    proofs: memoryProofs(state, accounts),
    ready: async () => ensureOpen(),
    close: async () => {
      open = false
    },
  }
  // Makes each call asynchronous and copies its arguments, so that the store and the caller share no mutable object.
  const store = wrapStore(ports as unknown as Store, (step) => async (...args) => {
    ensureOpen()
    return frozen(step(...args.map((one) => frozenCopy(one))))
  })
  return changePorts(store, completePort)
}
