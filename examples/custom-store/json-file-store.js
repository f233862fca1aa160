import { Refusal } from 'kennel-id'
import { createSave, load } from './file.js'
import { accountsOf } from './ports/accounts.js'
import { apiKeysOf } from './ports/api-keys.js'
import { attemptsOf } from './ports/attempts.js'
import { auditOf } from './ports/audit.js'
import { mailQueueOf } from './ports/mail-queue.js'
import { petsOf } from './ports/pets.js'
import { projectsOf } from './ports/projects.js'
import { revocationsOf } from './ports/revocations.js'
import { rolesPortOf } from './ports/roles.js'
import { secondFactorsOf } from './ports/second-factors.js'
import { sessionsOf } from './ports/sessions.js'

/** The calls that change nothing. Every other one is written to the file, so a name too few costs time only. */
const READS = [
  'find',
  'findById',
  'findByEmail',
  'page',
  'pageOf',
  'search',
  'list',
  'holdsResetToken',
  'listTo',
  'resetTokenEnds',
  'isRevoked',
  'waiting',
]

/** In and out: changing an object does not change the store. */
const copyOf = globalThis.structuredClone

/**
 * A store in one JSON file, for one process: a second one would overwrite what this one wrote.
 *
 * @param {string} path
 * @returns {Promise<import('kennel-id/ports').Store>}
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
      // The cause is for the log. Callers are told to come again, and whether it was done is not known.
      throw unavailable('the JSON file cannot be written', error)
    }
  }

  /**
   * @template Port
   * @param {import('./state.js').SyncPort<Port>} steps
   * @returns {Port}
   */
  function port(steps) {
    const calls = Object.entries(steps).map(([name, step]) => [
      name,
      async (/** @type {unknown[]} */ ...args) => {
        ensureOpen()
        // The answer is copied before the wait, during which another caller may change what it shows.
        const answer = copyOf(step(...copyOf(args)))
        if (!READS.includes(name)) await saved()
        return answer
      },
    ])
    return Object.fromEntries(calls)
  }

  return {
    accounts: port(accountsOf(state)),
    sessions: port(sessionsOf(state)),
    pets: port(petsOf(state)),
    roles: port(rolesPortOf(state)),
    apiKeys: port(apiKeysOf(state)),
    projects: port(projectsOf(state)),
    revocations: port(revocationsOf(state)),
    attempts: port(attemptsOf(state)),
    audit: port(auditOf(state)),
    mailQueue: port(mailQueueOf(state)),
    secondFactors: port(secondFactorsOf(state)),
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
