/** For how long something is put off at most, in milliseconds. */
const TIME = 10
/** How many are put off at most. */
const COUNT = 200

/** Puts work off, and does it in order. */
export type Deferral<T> = {
  readonly add: (item: T) => void
  /** Does now what was put off. */
  readonly flush: () => void
}

type Work<T> = (items: readonly T[]) => void

/** Puts nothing off. */
export function undeferred<T>(work: Work<T>): Deferral<T> {
  return {
    add: (item) => {
      work([item])
    },
    flush: () => undefined,
  }
}

/**
 * Does many small pieces of work in one go, within 10 ms, and at the end of the process at the latest: between
 * two requests each would cost several times as much, because nothing that it needs is at hand there.
 */
export function createDeferral<T>(work: Work<T>): Deferral<T> {
  let items: T[] = []
  let due: NodeJS.Timeout | undefined
  const flush = () => {
    if (items.length === 0) return
    clearTimeout(due)
    const all = items
    items = []
    work(all)
  }
  process.on('exit', flush)
  return {
    add: (item) => {
      if (items.length === 0) due = setTimeout(flush, TIME)
      items.push(item)
      if (items.length >= COUNT) flush()
    },
    flush,
  }
}
