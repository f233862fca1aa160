/** Of this package; a test compares it with package.json, which a bundle does not have beside it. */
export const VERSION = '0.2.0'
