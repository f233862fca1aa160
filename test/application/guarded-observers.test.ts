import { expect } from 'chai'
import { guardedLog, guardedMetrics } from '../../src/application/guarded-observers.js'
import type { Log } from '../../src/ports/log.js'
import type { Metrics } from '../../src/ports/metrics.js'
import { collectingLog } from '../support/log-collector.js'

const LEVELS = ['debug', 'info', 'warn', 'error'] as const

describe('custom metrics', () => {
  it('that throw are called, and fail nothing; the log gets the error', () => {
    const error = new Error('the metrics are broken')
    const collected = collectingLog()
    const ports: string[] = []
    const metrics = {
      storeCalled: (port: string) => {
        ports.push(port)
        throw error
      },
    } as unknown as Metrics
    guardedMetrics(metrics, collected.log).storeCalled('pets', 'ok', 1)
    expect(ports).to.deep.equal(['pets'])
    expect(collected.lines).to.deep.equal([{ level: 'error', event: 'metrics failed', fields: { error } }])
  })
})

describe('a custom log', () => {
  const error = new Error('the log is broken')
  const logOf = (write: Log['info']): Log => ({
    ...{ debug: write, info: write, warn: write, error: write },
    enabled: () => {
      throw error
    },
  })
  const FAILURES: Readonly<Record<string, Log['info']>> = {
    throws: () => {
      throw error
    },
    rejects: () => Promise.reject(error) as unknown as undefined,
  }

  for (const [failure, write] of Object.entries(FAILURES))
    it(`that ${failure} is replaced by the fallback, which also gets the error`, async () => {
      const fallback = collectingLog()
      const log = guardedLog(logOf(write), fallback.log)
      for (const level of LEVELS) {
        log[level]('the store is away', { count: 1 })
        await new Promise(setImmediate)
      }
      const failed = { level: 'error', event: 'a custom log failed', fields: { error } }
      const lines = LEVELS.flatMap((level) => [
        failed,
        { level, event: 'the store is away', fields: { count: 1 } },
      ])
      expect(fallback.lines).to.deep.equal(lines)
      expect(log.enabled('debug')).to.equal(true)
    })

  it('that works gets every line, as a method call', () => {
    class OwnLog {
      readonly lines: string[] = []
      #add(event: string) {
        this.lines.push(event)
      }
      debug(event: string) {
        this.#add(event)
      }
      info(event: string) {
        this.#add(event)
      }
      warn(event: string) {
        this.#add(event)
      }
      error(event: string) {
        this.#add(event)
      }
      enabled() {
        return this.lines.length > 3
      }
    }
    const [own, fallback] = [new OwnLog(), collectingLog()]
    const log = guardedLog(own, fallback.log)
    for (const level of LEVELS) log[level](level)
    expect([own.lines, log.enabled('info'), fallback.lines]).to.deep.equal([LEVELS, true, []])
  })
})
