import type { Instant } from '../domain/instant.js'

/** Returns the current time. Tests pass a clock that they can set. */
export type Clock = () => Instant

/** A cryptographically secure random source. */
export type Randomness = {
  /** Returns `bytes` random bytes in base64url without padding. */
  base64url(bytes: number): string
  /** Returns a random UUID (RFC 9562, version 4). */
  uuid(): string
}

/** Starts an incremental digest (SHA-256, hexadecimal). */
export type Digest = () => {
  /** Adds a string to the digest. */
  update(text: string): void
  /** Returns the digest of all added strings. Called only once, after all other calls. */
  end(): string
}
