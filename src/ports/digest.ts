/** Begins a digest of texts that come one after the other (SHA-256, hexadecimal). */
export type Digest = () => { update(text: string): void; end(): string }
