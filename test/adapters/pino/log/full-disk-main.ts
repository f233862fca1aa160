// A process that logs far more than its disk has room for, says so on standard error, and logs again once it is told
// on standard input, by its end, that there is room. Killed at its end, so that nothing is written then.
import { text } from 'node:stream/consumers'
import { createLog } from '../../../../src/adapters/pino/index.js'

const log = createLog({ level: 'info', pretty: false })
for (let count = 0; count < 8_000; count += 1) log.warn('before', { detail: 'x'.repeat(1_000) })
process.stderr.write('full')
await text(process.stdin)
for (let count = 0; count < 3; count += 1) log.warn('after', { detail: 'x'.repeat(1_000) })
process.kill(process.pid, 'SIGKILL')
