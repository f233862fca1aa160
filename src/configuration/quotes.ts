/** The error for a quoted value. Unlike `.env`, `docker --env-file` does not remove the quotes. */
export const IN_QUOTES = 'is in quotes, and the quotes are part of the value: remove them'

/** Returns the text inside single or double quotes; `undefined` if there are no quotes. */
export function unquoted(text: string): string | undefined {
  return /^(["'])(.*)\1$/s.exec(text.trim())?.[2]
}
