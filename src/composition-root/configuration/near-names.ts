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

/**
 * True where one character more, less or different, or two neighbours that changed places, make
 * one text of the other: a Damerau-Levenshtein distance of exactly 1.
 */
export function isOneEditApart(one: string, other: string): boolean {
  if (one.length > other.length) return isOneEditApart(other, one)
  if (one === other || other.length - one.length > 1) return false
  let at = 0
  while (at < one.length && one[at] === other[at]) at += 1
  if (one.length < other.length) return one.slice(at) === other.slice(at + 1)
  const replaced = one.slice(at + 1) === other.slice(at + 1)
  const swapped = one[at] === other[at + 1] && one[at + 1] === other[at]
  return replaced || (swapped && one.slice(at + 2) === other.slice(at + 2))
}
