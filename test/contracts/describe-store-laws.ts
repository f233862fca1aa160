import { storeLaws } from '../../src/contracts/index.js'
import type { Law } from '../../src/contracts/law.js'
import type { GivenStore } from '../../src/ports/given-store.js'

/** Runs every law on a new store that `open` returns, and closes the store. */
export function describeStoreLaws(
  name: string,
  open: () => Promise<GivenStore>,
  laws: readonly Law[] = storeLaws,
): void {
  describe(`${name} passes every law of`, () => {
    for (const port of new Set(laws.map((law) => law.port))) {
      describe(port, () => {
        for (const law of laws.filter((one) => one.port === port)) {
          it(law.name, async () => await checkOn(await open(), law))
        }
      })
    }
  })
}

async function checkOn(store: GivenStore, law: Law): Promise<void> {
  try {
    await law.check(store)
  } finally {
    await store.close()
  }
}
