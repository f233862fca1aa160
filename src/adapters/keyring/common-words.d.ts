/**
 * Common words in secrets, in lower case and grouped by subject: words from lists of stolen passwords, names of deployments and secrets,
 * first names, places, products and sites. Function words such as "the" are omitted because they do not weaken a passphrase. The build
 * script generates this module from `common-words.txt`.
 */
export declare const COMMON_WORDS: readonly string[]
