// Replaces depd in the bundle: depd generates code from strings, which hardened Node forbids. Node itself prints the warnings.
const { deprecate } = require('node:util')

module.exports = (namespace) => {
  const wrap = (fn, message) => deprecate(fn, `${namespace}: ${message}`, `${namespace}: ${message}`)
  return Object.assign((message) => wrap(() => undefined, message)(), {
    function: wrap,
    // Not needed: the only deprecated property is a cookie's `maxage`, which no code in the bundle reads.
    property: () => undefined,
  })
}
