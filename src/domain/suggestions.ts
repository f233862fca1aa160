/** Returns the known name that differs from an unknown name by one edit or only in case. */
export function suggestionFor(name: string, known: readonly string[]): string | undefined {
  const lower = name.toLowerCase()
  return (
    known.find((one) => isOneEditApart(name, one)) ??
    known.find((one) => one !== name && one.toLowerCase() === lower)
  )
}

/** Returns whether the strings have a Damerau-Levenshtein distance of exactly 1. */
export function isOneEditApart(one: string, other: string): boolean {
  if (one.length > other.length) return isOneEditApart(other, one)
  if (one === other) return false
  let at = 0
  while (one[at] === other[at]) at += 1
  if (one.length < other.length) return one.slice(at) === other.slice(at + 1)
  const replaced = one.slice(at + 1) === other.slice(at + 1)
  const swapped = one[at] === other[at + 1] && one[at + 1] === other[at]
  return replaced || (swapped && one.slice(at + 2) === other.slice(at + 2))
}
