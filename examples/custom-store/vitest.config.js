// Without this setting, vitest would look for `*.test.js`, which are the files that `node:test` runs here.
export default { test: { include: ['laws.vitest.js'] } }
