/** Starts an incremental digest (SHA-256, hexadecimal). */
export type Digest = () => {
  /** Adds a string to the digest. */
  update(text: string): void
  /** Returns the digest of all added strings. Called only once, after all other calls. */
  end(): string
}
