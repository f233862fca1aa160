/** A cryptographically secure random source. */
export type Randomness = {
  /** `bytes` random bytes, base64url without padding. */
  base64url(bytes: number): string
  /** A random UUID (RFC 9562, version 4). */
  uuid(): string
}
