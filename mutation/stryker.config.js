import { join } from 'node:path'

const TYPES_REMOVED = ['domain', 'application'].map((layer) => `src/${layer}/**/*.ts`)

export default {
  testRunner: 'mocha-12',
  plugins: [join(import.meta.dirname, 'runner.js')],
  coverageAnalysis: 'perTest',
  mutate: TYPES_REMOVED,
  // The tests are compiled already. esbuild removes the types from the mutated sources in less than a second.
  buildCommand: `esbuild ${TYPES_REMOVED.join(' ')} --outdir=dist/src --outbase=src --log-level=warning`,
  ignorePatterns: ['/bench', '/coverage', '/data', '/docs', '/examples', '/site', '/dist/app', '/dist/bench'],
  tempDirName: 'reports/mutation/sandbox',
  cleanTempDir: 'always',
  incremental: true,
  reporters: ['progress-append-only'],
  concurrency: 1,
  // A busy machine must not pass for a mutant that never ends.
  timeoutMS: 30_000,
  warnings: { slow: false },
}
