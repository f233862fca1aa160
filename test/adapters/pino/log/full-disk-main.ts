// A process that logs far more than its disk can hold, and then writes "full" to standard error. After the test has freed space and closed
// standard input, the process logs until it is killed.
import { text } from 'node:stream/consumers'
import { createLog } from '../../../../src/adapters/pino/index.js'

const log = createLog({ level: 'info', pretty: false })
for (let count = 0; count < 8_000; count += 1) log.warn('before', { detail: 'x'.repeat(1_000) })
process.stderr.write('full')
await text(process.stdin)
setInterval(() => log.warn('after', { detail: 'x'.repeat(1_000) }), 20)
