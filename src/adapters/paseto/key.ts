/** A key of the ring before its import. */
export type PasetoKey = {
  readonly kid: string
  /** An Ed25519 key as PKCS #8 in DER (RFC 8410). */
  readonly secret: Uint8Array
}
