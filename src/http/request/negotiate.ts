import type { Exchange } from '../exchange.js'
import { HttpError } from '../reply/http-error.js'
import { weighted } from './weighted.js'

/** Media ranges that hold JSON, the most specific ones first (RFC 9110, 12.5.1). A bare `*` is what some clients write for any type. */
const RANGES: readonly (readonly string[])[] = [['application/json'], ['application/*'], ['*/*', '*']]

/** Everything that the service says is JSON: 406 to a client that takes only something else. */
export function negotiate({ request }: Exchange): void {
  const accept = request.header('accept') ?? ''
  if (accept === '' || accept === '*/*' || accept === 'application/json') return
  if ((weightOf(accept, RANGES) ?? 0) > 0) return
  throw new HttpError(406, 'Only application/json can be sent.')
}

/** Whether a client takes a body in gzip, and prefers no plain body. */
export function takesGzip(acceptEncoding = ''): boolean {
  const gzip = weightOf(acceptEncoding, [['gzip'], ['*']]) ?? 0
  return gzip > 0 && gzip >= (weightOf(acceptEncoding, [['identity']]) ?? 0)
}

/** The greatest weight of the first names that the header has; `undefined` if it has none of them. */
function weightOf(header: string, names: readonly (readonly string[])[]): number | undefined {
  const elements = weighted(header)
  for (const equal of names) {
    const weights = elements.filter(({ value }) => equal.includes(value)).map(({ weight }) => weight)
    if (weights.length > 0) return Math.max(...weights)
  }
  return undefined
}
