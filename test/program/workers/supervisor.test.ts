import cluster from 'node:cluster'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { createSupervisor } from '../../../src/program/workers/supervisor.js'
import { WATCH } from '../../../src/program/workers/watchdog.js'
import { standardOutput } from '../../../src/adapters/pino/output.js'
import { intoOutput } from '../../../src/program/workers/shared-output.js'
import type { Start } from '../../../src/program/workers/messages.js'
import type { LogFields } from '../../../src/ports/log.js'
import { until } from '../../cli/workers.js'

describe('the workers that are to be kept alive', () => {
  const startOf = (worker: number): Start => ({
    ...{ kind: 'start', worker, workers: 2, logLevel: 'info' },
    source: { variables: {}, permissions: {} as never },
  })
  const { execPath } = process
  afterEach(() => {
    process.execPath = execPath
    cluster.setupPrimary({ exec: process.argv[1] })
  })

  it('are tried again where the system can start no process, and need not be waited for at the end', async () => {
    process.execPath = '/there/is/no/such/program'
    const died: (LogFields | undefined)[] = []
    const noted = (_event: string, fields?: LogFields) => void died.push(fields)
    const supervisor = createSupervisor({
      workers: 2,
      startOf,
      pauses: { first: 1, most: 2, longLife: 60_000 },
      watch: WATCH,
      log: { debug: noted, info: noted, warn: noted, error: noted, enabled: () => true },
      onFork: ({ stderr }) => void stderr.pipe(intoOutput(standardOutput(2))),
    })
    supervisor.keepAlive(() => Promise.resolve())
    await until(() => died.length >= 6)
    expect(died.map((fields) => fields?.detail)).to.satisfy((details: string[]) =>
      details.every((one) => one.includes('a worker process cannot be started (ENOENT); started again in ')),
    )
    // With this one Node throws at once, as it does where there is no memory.
    process.execPath = 'no\0program'
    const before = died.length
    await until(() => died.length >= before + 6)
    expect(died.at(-1)?.detail).to.include('no process can be started (ERR_INVALID_ARG_VALUE)')
    await supervisor.stop(60_000)
    expect(await supervisor.first[0].ended).to.include({ how: 'status 1' })
    await pause(0)
    expect(supervisor.alive()).to.deep.equal([])
  })

  it('are killed and started again if they hang', async () => {
    cluster.setupPrimary({ exec: join(import.meta.dirname, 'hanging-main.js') })
    const lines: string[] = []
    const noted = (event: string, { worker, detail = '' }: LogFields = {}) =>
      void lines.push(`${String(worker)}: ${event}, ${detail.replace(/pid \d+/, 'pid')}`)
    const supervisor = createSupervisor({
      ...{ workers: 1, startOf, onFork: () => undefined },
      pauses: { first: 1, most: 1, longLife: 60_000 },
      watch: { interval: 5, silence: 15 },
      log: { debug: noted, info: noted, warn: noted, error: noted, enabled: () => true },
    })
    supervisor.keepAlive(() => Promise.resolve())
    await until(() => lines.length >= 4)
    supervisor.kill()
    const hung = [
      '1: worker hangs, pid has given no sign of life for 0.015 s',
      '1: worker died, pid, SIGKILL; started again in 1 ms',
    ]
    expect(lines.slice(0, 4)).to.deep.equal([...hung, ...hung])
  })
})
