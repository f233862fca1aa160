export type Random = ReturnType<typeof randomOf>

/** A seeded source of random choices: the same seed gives the same choices. */
export function randomOf(seed: number) {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  /** Returns a whole number from 0 up to but not including the limit. */
  const below = (limit: number) => Math.floor((next() / 2 ** 32) * limit)
  return { below, pick: <Item>(items: readonly Item[]) => items[below(items.length)] as Item }
}
