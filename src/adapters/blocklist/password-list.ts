export type PasswordList = {
  /** Whether the list has this folded password. */
  has(folded: string): boolean
}

/**
 * The list of a text with a line break before and after each password. Searching the text is fast compared with
 * a hash, and a set would take ten times the memory.
 */
export function listOfLines(lines: string): PasswordList {
  return { has: (folded) => /^[^\n]+$/.test(folded) && lines.includes(`\n${folded}\n`) }
}
