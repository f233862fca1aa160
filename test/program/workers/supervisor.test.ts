import cluster from 'node:cluster'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { createSupervisor, WATCH, killIfHung } from '../../../src/program/workers/supervisor.js'
import { standardOutput } from '../../../src/adapters/pino/output.js'
import { intoOutput } from '../../../src/program/workers/shared-output.js'
import type { Start } from '../../../src/program/workers/protocol.js'
import { until } from '../../cli/workers.js'
import { collectingLog } from '../../support/log-collector.js'
import { createSandbox, type SinonFakeTimers } from 'sinon'
import { forkWorker } from '../../../src/program/workers/worker-process.js'
import { APP } from '../../cli/app.js'

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

const MINUTE = 60_000

describe('the watchdog of a worker', () => {
  const sandbox = createSandbox()
  let timers: SinonFakeTimers
  beforeEach(() => {
    timers = sandbox.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  })
  afterEach(() => {
    sandbox.restore()
  })

  /** A worker that responds to a ping if `answers` returns true for the number of the ping, counted from 1. */
  function watched(answers: (ping: number) => boolean) {
    const { log, lines } = collectingLog()
    const stopping = new AbortController()
    const state = { pings: 0, kills: 0, lines, stopping }
    let alive: () => void = () => undefined
    let end: () => void = () => undefined
    const worker: Parameters<typeof killIfHung>[0] = {
      ...{ number: 2, pid: 4711 },
      on: (_kind, hear) => {
        alive = () => {
          hear({ kind: 'alive' } as never)
        }
        return () => undefined
      },
      tell: () => {
        state.pings += 1
        if (answers(state.pings)) alive()
      },
      kill: () => {
        state.kills += 1
      },
      ended: new Promise((resolve) => {
        end = () => {
          resolve({ how: 'status 1', sentences: [] })
        }
      }),
    }
    killIfHung(worker, WATCH, log, stopping.signal)
    return { state, end }
  }

  it('kills a worker after 30 s without a response, and logs the kill', () => {
    const { state } = watched((ping) => ping <= 3)
    timers.tick(15_000 + 29_999)
    expect([state.kills, state.lines]).to.deep.equal([0, []])
    timers.tick(1)
    timers.tick(10 * MINUTE)
    expect(state.kills).to.equal(1)
    expect(state.lines).to.deep.equal([
      {
        level: 'error',
        event: 'worker hangs',
        fields: { worker: 2, detail: 'pid 4711 has not responded for 30 s' },
      },
    ])
  })

  for (const [name, answers] of Object.entries({
    'answers each ping': () => true,
    'answers every fifth ping': (ping: number) => ping % 5 === 0,
  }))
    it(`does not kill a worker that ${name}`, () => {
      const { state } = watched(answers)
      timers.tick(10 * MINUTE)
      expect([state.kills, state.pings]).to.deep.equal([0, 120])
    })

  it('does not kill a worker because the machine was suspended for an hour', () => {
    const { state } = watched(() => false)
    for (let hours = 0; hours < 5; hours += 1) timers.jump(60 * MINUTE)
    expect([state.kills, state.pings]).to.deep.equal([0, 5])
    timers.jump(60 * MINUTE)
    expect(state.kills).to.equal(1)
  })

  it('ends when the worker ends and when the service stops', async () => {
    const [ended, stopped] = [watched(() => false), watched(() => false)]
    ended.end()
    await Promise.resolve()
    stopped.state.stopping.abort()
    timers.tick(10 * MINUTE)
    expect([ended.state.kills, stopped.state.kills]).to.deep.equal([0, 0])
  })
})

describe('a worker', () => {
  it('responds to a ping before it has opened anything', async () => {
    cluster.setupPrimary({ exec: APP })
    const source = { variables: {}, permissions: {} as never }
    const worker = forkWorker({ kind: 'start', worker: 1, workers: 1, logLevel: 'info', source })
    expect(await worker.ask({ kind: 'ping' }, 'alive')).to.deep.equal({ kind: 'alive' })
    worker.kill()
    await worker.ended
    cluster.setupPrimary({ exec: process.argv[1] })
  })
})
