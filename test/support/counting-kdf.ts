import { type Kdf, systemKdf } from '../../src/adapters/scrypt/password-hasher.js'

/** Returns key derivation functions, the names and costs of the computations so far, and the most that ran concurrently. */
export function countingKdf() {
  const calls: (keyof Kdf)[] = []
  const costs: Parameters<Kdf['derive']>[1][] = []
  let running = 0
  let most = 0
  const count = async <T>(name: keyof Kdf, work: () => Promise<T>): Promise<T> => {
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
