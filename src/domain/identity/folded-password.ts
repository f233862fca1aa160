/** Invisible characters, such as a soft hyphen or a zero-width space. */
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu

/**
 * A password in the form in which password lists compare it: without case, width and invisible characters. Close to
 * NFKC_Casefold of Unicode, which JavaScript lacks: upper case first, because only this makes `ss` of `ß`.
 */
export function foldedPassword(text: string): string {
  const seen = text.normalize('NFKC').replace(IGNORABLE, '')
  return seen.toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFKC')
}
