import { appendFileSync } from 'node:fs'
import type { Context, Suite } from 'mocha'

/**
 * The path of the report; the durations of the test files are written next to the report, with the extension `.times`.
 */
const REPORT = process.env['TEST_REPORT']

let begun = 0

function fileOf({ file, suites }: Suite): string | undefined {
  return file ?? suites.map(fileOf).find((one) => one !== undefined)
}

/**
 * Writes how long each test file took, including its hooks. In parallel runs mocha calls root hooks once for each file.
 */
export const mochaHooks = {
  beforeAll(): void {
    begun = performance.now()
  },
  afterAll(this: Context): void {
    const file = this.test?.parent && fileOf(this.test.parent)
    if (REPORT === undefined || file === undefined) return
    const seconds = (performance.now() - begun) / 1000
    appendFileSync(`${REPORT}.times`, `${seconds.toFixed(2)} ${file}\n`)
  },
}
