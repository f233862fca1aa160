/** The part of bowser that Kennel uses. The build writes the module. */
export declare function parse(userAgent: string): {
  readonly browser: { readonly name?: string; readonly version?: string }
  readonly os: { readonly name?: string }
}
