/** The bytes that a base64 text holds. Throws where it is none. */
export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
}

/** Base64 as addresses and headers take it (RFC 4648, 5), without padding; of a text whose characters are bytes. */
export function base64url(binary: string): string {
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
