import { createMemoryStore } from '../../../src/adapters/memory/index.js'
import { storeLaws } from '../../../src/contracts/index.js'
import type { Law } from '../../../src/contracts/law.js'
import type { Store } from '../../../src/ports/store.js'
import type { Bug } from '../../simulation/instance.js'

/**
 * The first law that a store with this bug breaks, starting with the laws of the changed ports; `none` if the bug changes no port of a
 * store.
 */
export async function lawAgainst(bug: Bug): Promise<Law | 'none' | undefined> {
  const ports = changedPorts(bug)
  if (ports.length === 0) return 'none'
  const nearest = storeLaws.filter(({ port }) => ports.includes(port))
  for (const law of [...nearest, ...storeLaws.filter((law) => !nearest.includes(law))])
    if (await isBroken(law, bug)) return law
  return undefined
}

async function isBroken(law: Law, bug: Bug): Promise<boolean> {
  return await law.check(withBug(createMemoryStore(), bug)).then(
    () => false,
    () => true,
  )
}

/** A bug in a use case changes the port calls that the use case makes; here, the store gets a bug with the same effect. */
function withBug(store: Store, { store: change, parts }: Bug): Store {
  const changed = change?.(store) ?? store
  return (parts?.({ ...changed }) ?? changed) as Store
}

function changedPorts(bug: Bug): readonly string[] {
  const store = createMemoryStore()
  const changed = withBug(store, bug)
  return Object.entries(store).flatMap(([port, calls]) => (Reflect.get(changed, port) === calls ? [] : port))
}
