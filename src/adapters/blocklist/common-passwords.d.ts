/**
 * The 10,000 most common passwords of `@zxcvbn-ts/language-common` in folded form, each between two line breaks. The build script generates
 * this module.
 */
export declare const COMMON_PASSWORDS: string
