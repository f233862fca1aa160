/** Passwords that are refused, folded. */
export type PasswordList = {
  /** Whether the whole of it is one of them; what is asked has to be folded too. */
  has(folded: string): boolean
}

/**
 * A list of a text with a line break before and after each password. It is searched as it is, which takes little beside the
 * hash that follows, and a set of the same would take ten times the memory.
 */
export function listOfLines(lines: string): PasswordList {
  return { has: (folded) => /^[^\n]+$/.test(folded) && lines.includes(`\n${folded}\n`) }
}
