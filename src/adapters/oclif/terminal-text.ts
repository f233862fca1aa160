/**
 * Characters that control a terminal, are invisible or change the order of text: control and format characters (escape
 * sequences, bidirectional overrides, zero-width characters), line separators and lone surrogates.
 */
const ACTED_ON = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** Makes a text of any origin safe for a terminal: escapes control characters, for example as `\u202e`. */
export function shownText(text: string): string {
  return text.replace(ACTED_ON, escaped)
}

/** The same for several lines; line breaks stay unchanged. */
export function shownLines(text: string): string {
  return text.split('\n').map(shownText).join('\n')
}

/**
 * One line of JSON that is safe for a terminal, now or later. JSON itself escapes only the characters below U+0020; the
 * parsed value is the same.
 */
export function jsonLine(value: object): string {
  return shownText(JSON.stringify(value))
}

/** In the form of JSON: one escape for each UTF-16 code unit. */
function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('')
}
