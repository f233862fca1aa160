import * as z from 'zod'
import { unknownFields, wordsOf } from '../domain/messages.js'

/**
 * Parses a JSON file with custom texts for the user pages; `own` contains the built-in texts. Returns the errors if there are any; each
 * error completes a sentence that begins with the name of the file.
 */
export function pageTexts(
  source: string,
  own: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> | string[] {
  let json: unknown
  try {
    json = JSON.parse(source)
  } catch {
    return ['is not JSON']
  }
  const shape = z.record(z.string(), z.string()).safeParse(json, { error: wordsOf })
  if (!shape.success)
    return shape.error.issues.map(({ path, message }) =>
      path.length === 0 ? `is not valid: it ${message}` : `is not valid: ${path.join('.')} ${message}`,
    )
  const unknown = Object.keys(shape.data).filter((key) => !Object.hasOwn(own, key))
  const errors = [
    ...unknown.map((key) => `has an ${unknownFields([key], Object.keys(own))}`),
    ...['logo', 'stylesheet']
      .filter((key) => !isOwnPath(shape.data[key] ?? ''))
      .map((key) => `is not valid: ${key} must be a path on the same origin, such as /files/${key}`),
  ]
  return errors.length > 0 ? errors : shape.data
}

/** The pages' Content-Security-Policy lets browsers load only files from the same origin. */
function isOwnPath(text: string): boolean {
  return text === '' || /^\/(?![/\\])[^\\\s\p{Cc}]*$/u.test(text)
}
