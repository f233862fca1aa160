import cluster from 'node:cluster'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { createSupervisor, WATCH } from '../../../src/program/workers/supervisor.js'
import { standardOutput } from '../../../src/adapters/pino/output.js'
import { intoOutput } from '../../../src/program/workers/shared-output.js'
import type { Start } from '../../../src/program/workers/protocol.js'
import { until } from '../../cli/workers.js'
import { collectingLog } from '../../support/log-collector.js'

describe('the workers of a supervisor', () => {
  const startOf = (worker: number): Start => ({
    ...{ kind: 'start', worker, workers: 2, logLevel: 'info' },
    source: { variables: {}, permissions: {} as never },
  })
  const { execPath } = process
  afterEach(() => {
    process.execPath = execPath
    cluster.setupPrimary({ exec: process.argv[1] })
  })

  it('are restarted repeatedly until the system can start a process, and do not delay the shutdown', async () => {
    process.execPath = '/there/is/no/such/program'
    const { log, lines: died } = collectingLog()
    const supervisor = createSupervisor({
      workers: 2,
      startOf,
      pauses: { first: 1, most: 2, longLife: 60_000 },
      watch: WATCH,
      log,
      onFork: ({ stderr }) => void stderr.pipe(intoOutput(standardOutput(2))),
    })
    supervisor.keepAlive(() => Promise.resolve())
    await until(() => died.length >= 6)
    for (const { fields } of died)
      expect(fields.detail).to.include('a worker process cannot be started (ENOENT); started again in ')
    // This path makes Node throw synchronously, as it does if no memory is free.
    process.execPath = 'no\0program'
    const before = died.length
    await until(() => died.length >= before + 6)
    expect(died.at(-1)?.fields.detail).to.include('cannot start a process (ERR_INVALID_ARG_VALUE)')
    await supervisor.stop(60_000)
    expect(await supervisor.first[0].ended).to.include({ how: 'status 1' })
    await pause(0)
    expect(supervisor.alive()).to.deep.equal([])
  })

  it('are killed and restarted if they hang', async () => {
    cluster.setupPrimary({ exec: join(import.meta.dirname, 'hanging-main.js') })
    const { log, lines } = collectingLog()
    const supervisor = createSupervisor({
      ...{ workers: 1, startOf, onFork: () => undefined },
      pauses: { first: 1, most: 1, longLife: 60_000 },
      watch: { interval: 5, silence: 15 },
      log,
    })
    supervisor.keepAlive(() => Promise.resolve())
    await until(() => lines.length >= 4)
    supervisor.kill()
    const shown = lines.map(({ event, fields: { worker, detail = '' } }) =>
      [worker, event, detail.replace(/pid \d+/, 'pid')].join(' '),
    )
    const hung = [
      '1 worker hangs pid has not responded for 0.015 s',
      '1 worker died pid, SIGKILL; started again in 1 ms',
    ]
    expect(shown.slice(0, 4)).to.deep.equal([...hung, ...hung])
  })
})
