/** The used part of bowser. The build writes the module. */
export declare function parse(userAgent: string): {
  readonly browser: { readonly name?: string; readonly version?: string }
  readonly os: { readonly name?: string }
}
