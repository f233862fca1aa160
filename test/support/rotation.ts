/** The commit hash that selects what CI tests this time; `undefined` if everything is tested. */
const PLAN = process.env['TEST_PLAN']

/**
 * Returns the hash as a number. Its first eight digits are enough to distinguish the commits that CI tests. Throws if
 * `plan` is not a hash, so that the printed plan is enough to repeat a failed run.
 */
export function rotationOf(plan: string): number {
  if (!/^[0-9a-f]{8,40}$/.test(plan)) throw new Error(`"${plan}" is not the hash of a commit`)
  return Number.parseInt(plan.slice(0, 8), 16)
}

/** Returns how often a test tries something random: `few` times if a plan is set, otherwise `most` times. */
export function rounds(most: number, few: number, plan = PLAN): number {
  return plan === undefined ? most : few
}

/**
 * Picks `count` adjacent items. The hash selects the first item, so that every item is picked within a few days. If no
 * plan is set, as for a single file and in `npm run check:all`, returns all items in order.
 */
export function rotating<Item>(items: readonly Item[], count: number, plan = PLAN): readonly Item[] {
  if (plan === undefined || count >= items.length) return items
  const first = rotationOf(plan) % items.length
  const chosen = new Set(Array.from({ length: count }, (_, step) => (first + step) % items.length))
  return items.filter((_, index) => chosen.has(index))
}
