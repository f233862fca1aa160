import { readable } from '../application/fields.js'
import { ADMINISTRATION } from '../application/operations.js'
import type { Credentials } from '../application/shared-parts.js'
import type { OperatorUseCases } from '../application/wiring.js'
import { storeErrors } from '../composition-root/custom-parts/check.js'
import { watchedStore } from '../composition-root/custom-parts/watch.js'
import { portsOf, type GivenParts, type SystemParts } from '../composition-root/infrastructure.js'
import { meteredStore } from '../composition-root/open-parts.js'
import { composeUpkeep } from '../composition-root/service.js'
import { Refusal } from '../domain/refusal.js'
import { STORE_PORTS } from '../ports/calls/store.js'
import { SILENT_LOG, type Log } from '../ports/log.js'
import { OPTIONAL_PORTS, type PartialStore, type Store, type StoreWithin } from '../ports/store.js'
import type { Gate } from './inputs.js'

type Parts = GivenParts & Pick<Credentials, 'secretSeal'> & Pick<SystemParts, 'hasher'>

/** Returns a function that creates the operator use cases for other ports; the same object always gives the same use cases. */
export function createWithin(
  parts: Parts,
  { gate, log }: { readonly gate: Gate; readonly log: Log },
): (store: StoreWithin) => OperatorUseCases {
  const known = new WeakMap<StoreWithin, OperatorUseCases>()
  return (given) => {
    gate.assertOpen()
    const found = known.get(given)
    if (found) return found
    const store = readable(() => storeOf(given))
    refuseErrors(readable(() => errorsIn(store)))
    const watched = readable(() => watchedStore(store, log)) as Store
    const useCases = gate.guard(useCasesOver(meteredStore(watched, parts.metrics), parts))
    known.set(given, useCases)
    return useCases
  }
}

/** Reads each port once. The application itself opens and closes the connection. */
function storeOf(given: StoreWithin): Store {
  const ports = Object.fromEntries(STORE_PORTS.map((name) => [name, given[name]]))
  return { ...(ports as StoreWithin), ready: async () => undefined, close: async () => undefined }
}

/** Every port is required, because a missing port would be replaced by the Kennel instance's own, which writes outside the transaction. */
function errorsIn(store: PartialStore): string[] {
  const missing = OPTIONAL_PORTS.filter((name) => name !== 'copyableRecords' && store[name] === undefined)
  return [...missing.map((name) => `store has no ${name}`), ...storeErrors(store)]
}

function refuseErrors(sentences: readonly string[]): void {
  if (sentences.length === 0) return
  const messages = sentences.map((message) => ({ field: 'store', type: 'Format', message }) as const)
  throw new Refusal('malformed', messages)
}

function useCasesOver({ audit, ...store }: Store, parts: Parts): OperatorUseCases {
  const { useCases } = composeUpkeep({
    ...parts,
    loadSecretSeal: async () => parts.secretSeal,
    ...portsOf({ ...store, audit }),
    auditSinks: parts.auditSinks.map((sink) => (sink === parts.auditLog ? audit : sink)),
    // The next flush would run after the transaction has ended.
    auditBatched: false,
    onAuditLost: rethrow,
    // No wake-up is needed yet, because other connections can read the email only after the commit.
    onMailQueued: undefined,
    log: { ...SILENT_LOG, error: (_, { error } = {}) => rethrow(error) },
  })
  const names = Object.keys(ADMINISTRATION) as (keyof OperatorUseCases)[]
  return Object.fromEntries(names.map((name) => [name, useCases[name]])) as OperatorUseCases
}

/** A failed statement has aborted the transaction, so the call must not report success without its audit record or its email. */
function rethrow(error: unknown): never {
  throw error
}
