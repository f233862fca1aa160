// A process that logs and is killed in the same breath: nothing can be flushed any more.
import { createLog } from '../../../src/adapters/pino/index.js'

const log = createLog({ level: 'info', pretty: process.argv[2] === 'pretty' })
for (let count = 0; count < 1_000; count += 1) log.info('line', { count })
process.kill(process.pid, 'SIGKILL')
