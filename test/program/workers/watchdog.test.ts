import cluster from 'node:cluster'
import { expect } from 'chai'
import { createSandbox, type SinonFakeTimers } from 'sinon'
import { killIfHung, WATCH } from '../../../src/program/workers/supervisor.js'
import { forkWorker } from '../../../src/program/workers/worker-process.js'
import { APP } from '../../cli/app.js'
import { collectingLog } from '../../support/log-collector.js'

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
