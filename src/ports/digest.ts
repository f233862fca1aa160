/** Starts a digest of successive texts (SHA-256, hexadecimal). */
export type Digest = () => {
  /** Adds the next text. */
  update(text: string): void
  /** The digest of all texts. Called once, as the last call. */
  end(): string
}
