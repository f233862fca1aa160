// A process that logs and ends immediately. Arguments: the log format, the kind of log lines, and how the process ends.
import { createLog } from '../../../../src/adapters/pino/index.js'

const [, , form, level = 'info', end = 'kill'] = process.argv
const log = createLog({ level: 'info', pretty: form === 'pretty' })

function write(count: number): void {
  if (level === 'audit')
    log.info('line', { audit: { event: 'login', actor: `account:${count}`, outcome: 'success' } })
  else if (level === 'no request') log.info('line', { count })
  else log[level as 'info' | 'warn' | 'error']('line', { count, requestId: 'r' })
}

const ends: Record<string, () => void> = {
  kill: () => process.kill(process.pid, 'SIGKILL'),
  'kill after the delay': () => setTimeout(() => process.kill(process.pid, 'SIGKILL'), 200),
  exit: () => process.exit(0),
  throw: () => {
    throw new Error('the end')
  },
  reject: () => void Promise.reject(new Error('the end')),
  'do nothing more': () => undefined,
}

for (let count = 0; count < 1_000; count += 1) write(count)
ends[end]?.()
