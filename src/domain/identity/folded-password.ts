/** What no reader sees, such as a soft hyphen or a zero-width space. */
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu

/**
 * A password as lists of passwords compare it: without regard to case, width and what cannot be seen. Near to NFKC_Casefold
 * of Unicode, for which JavaScript has no function: upper case first, since only so `ß` is `ss`.
 */
export function foldedPassword(text: string): string {
  const seen = text.normalize('NFKC').replace(IGNORABLE, '')
  return seen.toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFKC')
}
