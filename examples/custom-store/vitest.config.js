// Without it vitest looks for `*.test.js`, which here is what `node:test` runs.
export default { test: { include: ['laws.vitest.js'] } }
