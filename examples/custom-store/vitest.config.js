// Without this setting, vitest would run `*.test.js`, the files for `node:test`.
export default { test: { include: ['laws.vitest.js'] } }
