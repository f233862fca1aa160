/** Whether the runtime can compress; older releases of Bun cannot. */
export const CAN_ZIP = 'CompressionStream' in globalThis

export function zip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return through(bytes, new CompressionStream('gzip'))
}

export function unzip(zipped: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return through(zipped, new DecompressionStream('gzip'))
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer())
}

/** Decodes base64. Throws if the string is not base64. */
export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0))
}

/** Encodes a string in base64 for URLs and headers (RFC 4648, 5), without padding; each character of the string represents one byte. */
export function base64url(binary: string): string {
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

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
