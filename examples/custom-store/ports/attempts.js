import { takeOut } from '../state.js'

/**
 * @param {import('../state.js').State} state
 * @returns {import('../state.js').SyncPort<import('kennel-id/ports').AttemptLimiter>}
 */
export function attemptsOf({ attempts }) {
  const purge = (/** @type {number} */ at, /** @type {number} */ limit) =>
    takeOut(attempts, ({ until }) => until <= at, limit)

  return {
    take(keys, at) {
      // Removes expired counts, so that the list does not keep growing.
      purge(at, Infinity)
      const found = keys.map(({ name, limit }) => ({
        limit,
        counted: attempts.find((one) => one.name === name) ?? { name, count: 0, until: at + limit.window },
      }))
      const full = found.filter(({ counted, limit }) => counted.count >= limit.count)
      if (full.length > 0) {
        return { kind: 'refused', until: Math.max(...full.map(({ counted }) => counted.until)) }
      }
      const counts = found.map(({ counted }) => {
        if (counted.count === 0 && !attempts.includes(counted)) attempts.push(counted)
        counted.count += 1
        return { name: counted.name, until: counted.until }
      })
      return { kind: 'taken', attempt: { counts } }
    },
    refund({ counts }) {
      for (const { name, until } of counts) {
        // The end time identifies the window, so a late refund does not change the count of the next window.
        const counted = attempts.find((one) => one.name === name && one.until === until)
        if (counted && counted.count > 0) counted.count -= 1
      }
    },
    clear(names) {
      const isNamed = (/** @type {string} */ name) =>
        names.some((one) => name === one || name.startsWith(`${one} `))
      takeOut(attempts, ({ name }) => isNamed(name), Infinity)
    },
    purge,
  }
}
