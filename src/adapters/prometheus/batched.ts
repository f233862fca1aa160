/** How many are kept until they are looked at. */
const COUNT = 500

/** Keeps what is told, and looks at all of it in one go: between two requests each would cost several times as much. */
export type Batched<T> = {
  readonly add: (item: T) => void
  /** Flushes what is left, before the result is read. */
  readonly flush: () => void
}

export function batched<T>(look: (item: T) => void): Batched<T> {
  let items: T[] = []
  const flush = () => {
    const all = items
    items = []
    for (const item of all) look(item)
  }
  return {
    add: (item) => {
      items.push(item)
      if (items.length >= COUNT) flush()
    },
    flush,
  }
}
