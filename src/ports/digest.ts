/** Begins a digest of texts that come one after the other (SHA-256, hexadecimal). */
export type Digest = () => {
  /** Takes the next text. */
  update(text: string): void
  /** The digest of all of them. Not twice, and nothing after it. */
  end(): string
}
