/** What stands for every text that is told apart no longer. */
export const OTHER = 'other'

/** Longer ones are no pattern of a route. */
const LENGTH_MAX = 200

/** The first texts as they are, at most that many; `other` for all that come after them. */
export function boundedLabel(most: number): (text: string) => string {
  const known = new Set<string>()
  return (text) => {
    if (known.has(text)) return text
    if (known.size >= most || text.length > LENGTH_MAX) return OTHER
    known.add(text)
    return text
  }
}
