import { readFileSync } from 'node:fs'
import type { ServerProcess } from './workplace/processes.js'
import type { Traffic } from './load/traffic.js'

/** One side of a comparison; a round measures it once. */
export type Contestant<R> = { readonly name: string; round(number: number): Promise<R> }

/** The results of a contestant, round by round. */
export type Results<R> = { readonly name: string; readonly rounds: readonly R[] }

/**
 * One uncounted warm-up round of each contestant, then A B A B and so on, so that other load on the machine affects
 * both alike.
 */
export async function alternate<R>(
  contestants: readonly Contestant<R>[],
  rounds: number,
  begins: (round: number, rounds: number) => void,
): Promise<readonly Results<R>[]> {
  const results = contestants.map(({ name }) => ({ name, rounds: [] as R[] }))
  for (let number = 0; number <= rounds; number += 1) {
    begins(number, rounds)
    for (const [index, contestant] of contestants.entries()) {
      const measured = await contestant.round(number)
      if (number > 0) results[index]?.rounds.push(measured)
    }
  }
  return results
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const upper = sorted[Math.floor(middle)] ?? NaN
  return Number.isInteger(middle) ? (upper + (sorted[middle - 1] ?? NaN)) / 2 : upper
}

/** The median of the ratios between the same rounds of both contestants. */
export function ratio<R>(a: Results<R>, b: Results<R>, of: (round: R) => number): number {
  return median(a.rounds.map((round, index) => of(round) / of(b.rounds[index] ?? round)))
}

/** Traffic through a server, and the CPU time of each request, which other load on the machine barely changes. */
export type ServerTraffic = Traffic & { readonly cpuMicroseconds: number }

export async function withCpu(server: ServerProcess, load: () => Promise<Traffic>): Promise<ServerTraffic> {
  const before = cpuSeconds(server.pid)
  const traffic = await load()
  return { ...traffic, cpuMicroseconds: ((cpuSeconds(server.pid) - before) / traffic.count) * 1e6 }
}

/** The CPU time of a process so far. Linux counts in hundredths of a second; elsewhere it is unknown. */
export function cpuSeconds(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) / 100
  } catch {
    return NaN
  }
}
