/** A cryptographically secure random source. */
export type Randomness = {
  /** Returns `bytes` random bytes in base64url without padding. */
  base64url(bytes: number): string
  /** Returns a random UUID (RFC 9562, version 4). */
  uuid(): string
}
