/** Of bowser, what is used of it. The build writes the module. */
export declare function parse(userAgent: string): {
  readonly browser: { readonly name?: string; readonly version?: string }
  readonly os: { readonly name?: string }
}
