import { storeLaws } from '../../src/contracts/index.js'
import type { Law } from '../../src/contracts/law.js'
import type { GivenStore } from '../../src/ports/given-store.js'

/** The ports to check, which `npm run near` sets; empty for all ports. */
const CHOSEN = (process.env['LAWS_OF'] ?? '').split(' ')

/** Runs every law on a new store that `open` returns, and closes the store. */
export function describeStoreLaws(
  name: string,
  open: () => Promise<GivenStore>,
  laws: readonly Law[] = storeLaws,
): void {
  const all = [...new Set(laws.map((law) => law.port))]
  const isChosen = CHOSEN.every((port) => all.some((one) => one === port))
  describe(`${name} passes every law of`, () => {
    for (const port of isChosen ? all.filter((one) => CHOSEN.includes(one)) : all) {
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
