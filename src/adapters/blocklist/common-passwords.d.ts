/**
 * The 10,000 most common passwords of `@zxcvbn-ts/language-common`, folded, each between two line breaks. The
 * build writes the module.
 */
export declare const COMMON_PASSWORDS: string
