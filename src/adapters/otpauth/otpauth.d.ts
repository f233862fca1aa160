// The part of otpauth that Kennel uses. The build script generates the module without otpauth's hash functions, because `hmac` replaces
// them.

/** Random bytes in base32 without padding. */
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
  /** In seconds. */
  readonly period: number
  /**
   * Returns the difference in time steps between the code and the current time, or `null` if the code is wrong. The property `timestamp` is
   * in milliseconds.
   */
  validate(options: {
    readonly token: string
    readonly timestamp: number
    readonly window: number
  }): number | null
  generate(options: { readonly timestamp: number }): string
  toString(): string
}
