// Mocha loads it for near.js: a process that has used `TEST_SECONDS` of CPU time begins no further test file except the
// files in `TEST_ALWAYS`, and writes the name of the file to `$TEST_REPORT.late`. In parallel runs mocha calls root hooks once for each file.
import { appendFileSync } from 'node:fs'

const { TEST_REPORT, TEST_SECONDS, TEST_ALWAYS = '' } = process.env
const always = TEST_ALWAYS.split(' ')

function fileOf({ file, suites }) {
  return file ?? suites.map(fileOf).find((one) => one !== undefined)
}

export const mochaHooks = {
  beforeAll() {
    if (process.cpuUsage().user < 1e6 * Number(TEST_SECONDS)) return
    const file = fileOf(this.test.parent)
    if (file === undefined || always.some((path) => file.endsWith(path))) return
    appendFileSync(`${TEST_REPORT}.late`, `${file}\n`)
    this.skip()
  },
}
