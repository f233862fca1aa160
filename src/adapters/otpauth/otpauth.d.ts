// What is used of otpauth, which the build writes beside this, without the hashes of its own: `hmac` stands in for them.

/** Random bytes, in base32 without padding. */
export declare class Secret {
  /** `size` in bytes. */
  constructor(options: { readonly size: number })
  readonly base32: string
}

/** Codes by time (RFC 6238). */
export declare class TOTP {
  constructor(options: {
    readonly issuer: string
    readonly label: string
    /** In base32. */
    readonly secret: string
    readonly algorithm: string
    readonly digits: number
    /** In seconds. */
    readonly period: number
    readonly hmac: (algorithm: string, key: Uint8Array, message: Uint8Array) => Uint8Array
  })
  /** How many steps off; `null` where it is the code of none. `timestamp` in milliseconds. */
  validate(options: {
    readonly token: string
    readonly timestamp: number
    readonly window: number
  }): number | null
  /** `timestamp` in milliseconds. */
  generate(options: { readonly timestamp: number }): string
  /** The URI of the key. */
  toString(): string
}
