import type { IncomingMessage } from 'node:http'

/**
 * Every value of a header, in the order they came. Node joins repeated headers, or drops all
 * but the first; who must see an ambiguity has to look at the raw ones.
 */
export function headerValues(request: IncomingMessage, name: string): string[] {
  const raw = request.rawHeaders
  const values: string[] = []
  for (let index = 0; index < raw.length; index += 2) {
    const candidate = raw[index]
    if (candidate?.length === name.length && candidate.toLowerCase() === name)
      values.push(raw[index + 1] ?? '')
  }
  return values
}
