/** Rounds until whatever is kept on purpose, such as caches, is full; and how many are compared with how many. */
const [WARM, WINDOW] = [2, 2]
/** What may come and go, in bytes: generous, and passed by anything that is kept of every request. */
const HEAP_GROWTH = 24 * 2 ** 20
const RESIDENT_GROWTH = 400 * 2 ** 20

/** Bytes that are in use after everything else was collected, and those of the whole process. */
export type Sample = { readonly heap: number; readonly resident: number }

/** Takes a sample after each round and tells, once, when the memory in use has grown. */
export function createMemoryTrend(): (sample: Sample) => string | undefined {
  const first: Sample[] = []
  const last: Sample[] = []
  let rounds = 0
  let isTold = false
  return (sample) => {
    rounds += 1
    if (rounds <= WARM) return undefined
    if (first.length < WINDOW) first.push(sample)
    last.push(sample)
    if (last.length > WINDOW) last.shift()
    const problem = isTold || last.length < WINDOW ? undefined : growth(first, last, rounds)
    isTold ||= problem !== undefined
    return problem
  }
}

function growth(first: readonly Sample[], last: readonly Sample[], rounds: number): string | undefined {
  const grown = (of: keyof Sample) =>
    Math.min(...last.map((one) => one[of])) - Math.max(...first.map((one) => one[of]))
  const [heap, resident] = [grown('heap'), grown('resident')]
  if (heap <= HEAP_GROWTH && resident <= RESIDENT_GROWTH) return undefined
  return `after ${rounds} rounds the service keeps ${heap} bytes more than after ${WARM + WINDOW}, its process ${resident}`
}
