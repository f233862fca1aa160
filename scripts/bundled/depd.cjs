// Replaces depd in the bundle: depd generates code from strings, which hardened Node forbids. Node itself
// prints the warnings: each is printed once, and `--no-deprecation` and `--trace-deprecation` have an effect.
const { deprecate } = require('node:util')

module.exports = (namespace) => {
  const wrap = (fn, message) => deprecate(fn, `${namespace}: ${message}`, `${namespace}: ${message}`)
  return Object.assign((message) => wrap(() => undefined, message)(), {
    function: wrap,
    // No code of the bundle reads `maxage` of a cookie, the only property that its packages mark as deprecated.
    property: () => undefined,
  })
}
