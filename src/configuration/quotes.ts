/** The rule that a text in quotes breaks. `docker --env-file` takes values literally, so `.env` would have another value. */
export const IN_QUOTES = 'is in quotes, and the quotes are part of the value: remove them'

/** The text inside single or double quotes; `undefined` without quotes. */
export function unquoted(text: string): string | undefined {
  return /^(["'])(.*)\1$/s.exec(text.trim())?.[2]
}
