import { Refusal } from 'kennel-id'
import { STORE_CALLS } from 'kennel-id/ports'
import { createSave, load } from './file.js'
import { accountsOf } from './ports/accounts.js'
import { apiKeysOf } from './ports/api-keys.js'
import { attemptsOf } from './ports/attempts.js'
import { auditOf } from './ports/audit.js'
import { mailQueueOf } from './ports/mail-queue.js'
import { passkeysOf } from './ports/passkeys.js'
import { petsOf } from './ports/pets.js'
import { projectsOf } from './ports/projects.js'
import { proofsOf } from './ports/proofs.js'
import { revocationsOf } from './ports/revocations.js'
import { rolesPortOf } from './ports/roles.js'
import { secondFactorsOf } from './ports/second-factors.js'
import { sessionsOf } from './ports/sessions.js'

/** Arguments and results are copied, so changing an object does not change the store. */
const copyOf = globalThis.structuredClone

/**
 * A store in one JSON file, for a single process, because a second process would overwrite the changes of the first.
 *
 * @param {string} path
 * @returns {Promise<import('kennel-id/ports').GivenStore>}
 */
export async function openJsonFileStore(path) {
  const state = await load(path)
  const save = createSave(path, state)
  let open = true

  function ensureOpen() {
    if (!open) throw unavailable('the JSON file store is closed')
  }

  async function saved() {
    try {
      await save()
    } catch (error) {
      // The cause goes to the log. Callers have to retry, because they cannot know whether the change was saved.
      throw unavailable('the JSON file cannot be written', error)
    }
  }

  /**
   * @template Port
   * @param {keyof typeof STORE_CALLS} name
   * @param {import('./state.js').SyncPort<Port>} steps
   * @returns {Port}
   */
  function port(name, steps) {
    /** @type {Readonly<Record<string, { kind: string } | undefined>>} */
    const table = STORE_CALLS[name]
    const calls = Object.entries(steps).map(([call, step]) => [
      call,
      async (/** @type {unknown[]} */ ...args) => {
        ensureOpen()
        // The result is copied before the wait, because other callers may change its objects in the meantime.
        const answer = copyOf(step(...copyOf(args)))
        if (table[call]?.kind !== 'read') await saved()
        return answer
      },
    ])
    return Object.fromEntries(calls)
  }

  return {
    accounts: port('accounts', accountsOf(state)),
    sessions: port('sessions', sessionsOf(state)),
    pets: port('pets', petsOf(state)),
    roles: port('roles', rolesPortOf(state)),
    apiKeys: port('apiKeys', apiKeysOf(state)),
    projects: port('projects', projectsOf(state)),
    revocations: port('revocations', revocationsOf(state)),
    attempts: port('attempts', attemptsOf(state)),
    audit: port('audit', auditOf(state)),
    mailQueue: port('mailQueue', mailQueueOf(state)),
    secondFactors: port('secondFactors', secondFactorsOf(state)),
    passkeys: port('passkeys', passkeysOf(state)),
    proofs: port('proofs', proofsOf(state)),
    ready: async () => ensureOpen(),
    async close() {
      if (!open) return
      open = false
      await saved()
    },
  }
}

/**
 * @param {string} detail
 * @param {unknown} [cause]
 */
function unavailable(detail, cause) {
  const message = /** @type {const} */ ({ field: '', type: 'Unavailable', message: 'Try again shortly.' })
  return new Refusal('unavailable', [message], detail, cause)
}
