/** The version of this package. The version is repeated here because a bundle lacks package.json. */
export const VERSION = '0.9.0-dev'
