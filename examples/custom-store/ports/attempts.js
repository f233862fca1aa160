import { takeOut } from '../state.js'

/**
 * @param {import('../state.js').State} state
 * @returns {import('../state.js').Steps<import('kennel-id/ports').AttemptLimiter>}
 */
export function attemptsOf({ attempts }) {
  const purge = (/** @type {number} */ at, /** @type {number} */ limit) =>
    takeOut(attempts, ({ until }) => until <= at, limit)

  return {
    take(names, { count: most, window }, at) {
      // Whoever adds counts takes old ones away: there are never more than one window makes.
      purge(at, Infinity)
      const found = attempts.filter(({ name }) => names.includes(name))
      const full = found.filter(({ count }) => count >= most)
      if (full.length > 0) return { kind: 'refused', until: Math.max(...full.map(({ until }) => until)) }
      const counts = names.map((name) => {
        const before = found.find((one) => one.name === name)
        const counted = before ?? { name, count: 0, until: at + window }
        if (!before) attempts.push(counted)
        counted.count += 1
        return { name, until: counted.until }
      })
      return { kind: 'taken', attempt: { counts } }
    },
    giveBack({ counts }) {
      for (const { name, until } of counts) {
        // Its end tells the window: what is given back late is not taken off the count of the next one.
        const counted = attempts.find((one) => one.name === name && one.until === until)
        if (counted && counted.count > 0) counted.count -= 1
      }
    },
    purge,
  }
}
