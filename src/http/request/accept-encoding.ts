/** Whether a client accepts gzip and does not prefer a plain body (RFC 9110, 12.5.3). */
export function takesGzip(acceptEncoding = ''): boolean {
  const weights = new Map(acceptEncoding.toLowerCase().split(',').map(weighted))
  const gzip = weights.get('gzip') ?? weights.get('*') ?? 0
  return gzip > 0 && gzip >= (weights.get('identity') ?? 0)
}

/** A content coding and its weight; a malformed weight counts as 0. */
function weighted(element: string): readonly [string, number] {
  const [coding = '', ...parameters] = element.split(';').map((part) => part.trim())
  const weight = parameters.find((one) => one.startsWith('q='))?.slice(2) ?? '1'
  return [coding, Number(weight) || 0]
}
