import { createMemoryStore } from '../../../src/adapters/memory/index.js'
import { storeLaws } from '../../../src/contracts/index.js'
import type { Law } from '../../../src/contracts/law.js'
import type { Store } from '../../../src/ports/store.js'
import type { Bug } from '../../simulation/instance.js'

/**
 * Returns the first law that this bug breaks, trying the changed ports' laws first, or `none` if the bug changes
 * no store port.
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

/**
 * Plants the bug in the store; a bug that changes the ports of a use case is planted in the same ports of the store.
 */
function withBug(store: Store, { store: change, parts }: Bug): Store {
  const changed = change?.(store) ?? store
  return (parts?.({ ...changed }) ?? changed) as Store
}

function changedPorts(bug: Bug): readonly string[] {
  const store = createMemoryStore()
  const changed = withBug(store, bug)
  return Object.entries(store).flatMap(([port, calls]) => (Reflect.get(changed, port) === calls ? [] : port))
}
