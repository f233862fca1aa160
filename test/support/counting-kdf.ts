import { type Kdf, systemKdf } from '../../src/adapters/scrypt/password-hasher.js'

export type Counted = {
  readonly kdf: Kdf
  /** The names of the computations so far, in order. */
  readonly calls: ('derive' | 'matches' | 'matchesImported')[]
  readonly costs: Parameters<Kdf['derive']>[1][]
  most(): number
}

export function countingKdf(): Counted {
  const calls: Counted['calls'] = []
  const costs: Counted['costs'] = []
  let running = 0
  let most = 0
  const count = async <T>(name: Counted['calls'][number], work: () => Promise<T>): Promise<T> => {
    calls.push(name)
    running += 1
    most = Math.max(most, running)
    try {
      return await work()
    } finally {
      running -= 1
    }
  }
  const kdf: Kdf = {
    derive: (text, cost) => {
      costs.push(cost)
      return count('derive', () => systemKdf.derive(text, cost))
    },
    matches: (text, hash) => count('matches', () => systemKdf.matches(text, hash)),
    matchesImported: (text, hash) => count('matchesImported', () => systemKdf.matchesImported(text, hash)),
  }
  return { kdf, calls, costs, most: () => most }
}
