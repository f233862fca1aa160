/** The commit whose hash chooses what CI tries this time; `undefined` if everything is tried. */
const PLAN = process.env['TEST_PLAN']

/**
 * The hash as a number. Its first eight digits are enough: they differ between any two commits that CI sees.
 * A plan that is no hash is an error, because a red run could not be repeated with it.
 */
export function rotationOf(plan: string): number {
  if (!/^[0-9a-f]{8,40}$/.test(plan)) throw new Error(`"${plan}" is not the hash of a commit`)
  return Number.parseInt(plan.slice(0, 8), 16)
}

/** How often a test tries something random: `few` times if a plan is set, otherwise `most` times. */
export function rounds(most: number, few: number, plan = PLAN): number {
  return plan === undefined ? most : few
}

/**
 * Picks `count` neighbouring items; the hash chooses the first of them, so that each item has its turn within
 * days. Returns all items, in their order, if no plan is set: in a single file, and in `npm run check:all`.
 */
export function rotating<Item>(items: readonly Item[], count: number, plan = PLAN): readonly Item[] {
  if (plan === undefined || count >= items.length) return items
  const first = rotationOf(plan) % items.length
  const chosen = new Set(Array.from({ length: count }, (_, step) => (first + step) % items.length))
  return items.filter((_, index) => chosen.has(index))
}
