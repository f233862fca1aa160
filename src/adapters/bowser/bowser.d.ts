/** The part of bowser that Kennel uses. The build script generates this module. */
export declare function parse(userAgent: string): {
  readonly browser: { readonly name?: string; readonly version?: string }
  readonly os: { readonly name?: string }
}
