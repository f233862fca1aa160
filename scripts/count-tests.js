// Reads mocha's report and ends with the one line `N passed, N failed`, with `, N skipped` where there are
// some. Exit status 1 when a test failed, when a test was skipped, when none ran, and when there is no report.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const NO_RUN = { stats: { passes: 0, failures: 0, pending: 0 }, pending: [] }
const path = process.argv[2] ?? join(import.meta.dirname, '..', 'reports', 'mocha.json')

const { stats, pending } = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : NO_RUN
for (const test of pending) console.error(`skipped: ${test.fullTitle}`)
if (stats.passes === 0) console.error('no test has passed')

const skipped = stats.pending > 0 ? `, ${stats.pending} skipped` : ''
console.log(`${stats.passes} passed, ${stats.failures} failed${skipped}`)
process.exitCode = stats.passes > 0 && stats.failures === 0 && stats.pending === 0 ? 0 : 1
