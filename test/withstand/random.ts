/** What is drawn from one seed: the same seed gives the same row of draws. */
export type Random = {
  /** From 0, below 1. */
  next(): number
  /** A whole number from 0, below this one. */
  below(limit: number): number
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number
  /** True in so many cases of one. */
  chance(share: number): boolean
  /** True once in so many times. */
  oneIn(times: number): boolean
  /** One of these, which are not none. */
  pick<Item>(items: readonly Item[]): Item
  /** The seed of another generator, whose draws do not change those of this one. */
  seed(): number
}

/** The generator mulberry32: small, and even enough for what is chosen here. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  const whole = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const next = () => whole() / 2 ** 32
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    next,
    below,
    between: (least, most) => least + below(most - least + 1),
    oneIn: (times) => below(times) === 0,
    seed: whole,
    chance: (share) => next() < share,
    pick: <Item>(items: readonly Item[]) => items[below(items.length)] as Item,
  }
}

/** A generator for a part of what is drawn, which others do not disturb. */
export function partOf(seed: number, part: number): Random {
  return randomOf(Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(part + 1, 0x85ebca6b))
}

/** A generator for a round: seeds of rounds are neighbours, and their first draws are not to be alike. */
export function roundOf(seed: number): Random {
  return randomOf(Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b))
}
