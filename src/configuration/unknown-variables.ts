import { isOneEditApart } from '../domain/suggestions.js'

/** A sentence for each name that is unknown and one slip of the keyboard away from a known one. */
export function misspelt(names: readonly string[], known: readonly string[]): string[] {
  const there = new Set(known)
  return names
    .filter((name) => !there.has(name))
    .flatMap((name) => {
      const meant = known.find((one) => isOneEditApart(name, one))
      return meant === undefined ? [] : [`${name} is unknown; did you mean ${meant}?`]
    })
}
