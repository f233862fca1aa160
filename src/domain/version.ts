/** The version of this package. A test compares it with package.json, which a bundle lacks. */
export const VERSION = '0.9.0-dev'
