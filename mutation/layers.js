/** The tests that judge the mutants of each layer. A file in the list runs after the files before it. */
export const LAYERS = {
  domain: ['dist/test/domain/**/*.test.js'],
  application: ['dist/test/application/**/*.test.js', 'mutation/simulation.js'],
}

/** They take long, and other tests of their layer hold the same rules. */
export const LEFT_OUT = [
  'dist/test/domain/messages/every-input.test.js',
  'dist/test/application/copy-released-store.test.js',
  'dist/test/application/copy-store/while-written.test.js',
  'dist/test/application/identity/token-signer/mutations.test.js',
]

/** The results of a layer, which the next run of the layer reuses. */
export const resultsOf = (layer) => `reports/mutation/${layer}.json`
