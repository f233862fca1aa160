import type { CheckedStore, Checker } from '../checker.js'

type Trial = { readonly store: CheckedStore; readonly seeds: readonly number[] }

/** All that rounds with these seeds find. */
export async function violationsOf(checker: Checker, { store, seeds }: Trial): Promise<readonly string[]> {
  const bench = await checker.open({ store, note: () => undefined })
  try {
    const found: string[] = []
    for (const seed of seeds) found.push(...(await bench.round(seed)).violations)
    return found
  } finally {
    await bench.close()
  }
}

/** Whether a round with one of these seeds finds a planted bug; the first that does is the last. */
export async function isFound(
  checker: Checker,
  { store, seeds, planted }: Trial & { readonly planted: string },
) {
  const bench = await checker.open({ store, planted, note: () => undefined })
  try {
    for (const seed of seeds) if ((await bench.round(seed)).violations.length > 0) return true
    return false
  } finally {
    await bench.close()
  }
}
