// The part of otpauth that Kennel uses. The build writes the module without its hashes: `hmac` replaces them.

/** Random bytes as unpadded base32. */
export declare class Secret {
  /** `size` in bytes. */
  constructor(options: { readonly size: number })
  readonly base32: string
}

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
  /** Returns the distance in steps, or `null` for a wrong code. `timestamp` is in milliseconds. */
  validate(options: {
    readonly token: string
    readonly timestamp: number
    readonly window: number
  }): number | null
  generate(options: { readonly timestamp: number }): string
  toString(): string
}
