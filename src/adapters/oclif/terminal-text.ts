// Makes text from users safe to print on a terminal.

/**
 * Matches characters that control a terminal, are invisible or change the order of text: control and format characters (escape sequences,
 * bidirectional overrides, zero-width characters), line separators and lone surrogates.
 */
const ACTED_ON = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** Makes text from any source safe for a terminal by escaping control characters, for example as `\u202e`. */
export function shownText(text: string): string {
  return text.replace(ACTED_ON, escapeCharacter)
}

/** Makes multi-line text safe for a terminal; line breaks stay unchanged. */
export function shownLines(text: string): string {
  return text.split('\n').map(shownText).join('\n')
}

/**
 * Returns one line of JSON that is safe for a terminal, even if the line is displayed later. `JSON.stringify` escapes only the characters
 * below U+0020; the additional escapes do not change the parsed value.
 */
export function jsonLine(value: object): string {
  return shownText(JSON.stringify(value))
}

/** Escapes a character as in JSON, with one escape for each UTF-16 code unit. */
function escapeCharacter(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('')
}
