import type { Exchange } from '../exchange.js'
import { HttpError } from '../reply/http-error.js'

/** Media ranges that include JSON, most specific first (RFC 9110, 12.5.1). Some clients write `*` for any type. */
const RANGES: readonly (readonly string[])[] = [['application/json'], ['application/*'], ['*/*', '*']]

/** Throws 406 if the client does not accept JSON. */
export function negotiate({ request }: Exchange): void {
  const accept = request.header('accept') ?? ''
  if (accept === '' || accept === '*/*' || accept === 'application/json') return
  if ((weightOf(accept, RANGES) ?? 0) > 0) return
  throw new HttpError(406, 'Only application/json can be sent.')
}

/** Whether a client accepts gzip and does not prefer a plain body. */
export function takesGzip(acceptEncoding = ''): boolean {
  const gzip = weightOf(acceptEncoding, [['gzip'], ['*']]) ?? 0
  return gzip > 0 && gzip >= (weightOf(acceptEncoding, [['identity']]) ?? 0)
}

/** The greatest weight of the first group of names that occurs in the header; `undefined` if no name occurs. */
function weightOf(header: string, names: readonly (readonly string[])[]): number | undefined {
  const elements = weighted(header)
  for (const equal of names) {
    const weights = elements.filter(({ value }) => equal.includes(value)).map(({ weight }) => weight)
    if (weights.length > 0) return Math.max(...weights)
  }
  return undefined
}

/** One element of a header such as `Accept`: in lower case, without parameters, with its weight. */
type Weighted = { readonly value: string; readonly weight: number }

/**
 * The elements of a list with weights (RFC 9110, 12.4.2). Ignores parameters other than `q`, and separators in quotes.
 * Linear in the header.
 */
function weighted(header: string): readonly Weighted[] {
  return unquotedParts(header, ',').map((element) => {
    const [value = '', ...parameters] = unquotedParts(element, ';').map((part) => part.trim().toLowerCase())
    const weight = parameters.find((one) => one.startsWith('q='))?.slice(2) ?? '1'
    return { value, weight: Number(weight.replaceAll('"', '')) || 0 }
  })
}

function unquotedParts(text: string, separator: string): readonly string[] {
  const parts: string[] = []
  let [begin, isQuoted] = [0, false]
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]
    if (char === '"') isQuoted = !isQuoted
    else if (char === '\\' && isQuoted) at += 1
    else if (char === separator && !isQuoted) {
      parts.push(text.slice(begin, at))
      begin = at + 1
    }
  }
  return [...parts, text.slice(begin)]
}
