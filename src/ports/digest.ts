/** Starts an incremental digest (SHA-256, hexadecimal). */
export type Digest = () => {
  /** Adds text to the digest. */
  update(text: string): void
  /** Returns the digest of all added text. Called only once, after all other calls. */
  end(): string
}
