import { expect } from 'chai'
import sinon from 'sinon'
import { createLog } from '../../../src/adapters/pino/index.js'
import type { LogOptions } from '../../../src/adapters/pino/log.js'
import type { LogFields } from '../../../src/ports/log.js'

function recorded(options: Partial<LogOptions> = {}) {
  const lines: string[] = []
  const destination = { write: (line: string) => lines.push(line) }
  const fields = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  return { log: createLog({ level: 'debug', pretty: false, ...options, destination }), lines, fields }
}

describe('the log', () => {
  it('writes one JSON object per line with level, time, fields and event', () => {
    const { log, lines, fields } = recorded()
    log.info('ready', { address: 'http://127.0.0.1:3000', count: 2 })
    expect(lines).to.have.lengthOf(1)
    expect(lines[0]).to.match(/^\{.*\}\n$/)
    const { time, ...rest } = fields()[0]!
    expect(rest).to.deep.equal({ level: 'info', event: 'ready', address: 'http://127.0.0.1:3000', count: 2 })
    expect(time).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  const LEVELS = ['debug', 'info', 'warn', 'error'] as const
  for (const [level, written] of [
    ['debug', LEVELS],
    ['warn', LEVELS.slice(2)],
    ['silent', []],
  ] as const)
    it(`writes nothing below the level ${level}, and reports which levels are enabled`, () => {
      const { log, fields } = recorded({ level })
      for (const one of LEVELS) log[one]('event')
      expect(fields().map((line) => line['level'])).to.deep.equal(written)
      expect(LEVELS.filter((one) => log.enabled(one))).to.deep.equal(written)
    })

  it('writes a required audit record after all earlier lines', async () => {
    const { log, fields } = recorded()
    log.info('request', { requestId: 'x' })
    expect(await log.keepAudit({ requestId: 'x' })).to.equal(true)
    expect(fields().map(({ event }) => event)).to.deep.equal(['request', 'audit'])
  })

  for (const level of ['warn', 'error', 'silent'] as const)
    it(`does not write a required audit record at the level ${level}`, async () => {
      const { log, lines } = recorded({ level })
      expect([await log.keepAudit({}), lines]).to.deep.equal([false, []])
    })

  it('omits unknown fields and values of the wrong type', () => {
    const { log, fields } = recorded()
    const audit = { event: 'login', actor: { name: 'Canary' }, password: 'Canary' }
    const odd = { status: 500, audit, password: 'Canary', route: { secret: 'Canary' }, count: 'Canary' }
    log.info('x', odd as unknown as LogFields)
    const { time: _, ...rest } = fields()[0]!
    expect(rest).to.deep.equal({ level: 'info', event: 'x', status: 500, audit: { event: 'login' } })
  })

  it('omits undefined fields, but logs `undefined` if it was thrown', () => {
    const { log, fields } = recorded()
    log.info('x', { requestId: undefined, status: undefined, audit: undefined, error: undefined })
    const { time: _, ...rest } = fields()[0]!
    expect(rest).to.deep.equal({ level: 'info', event: 'x', error: { name: 'thrown undefined' } })
  })

  it('writes each event as one line of limited length without escape sequences', () => {
    const { log, lines, fields } = recorded()
    const text = `\u001B[31ma\r\nb "quoted" {{braces}} ${'c'.repeat(100_000)}`
    log.info('x', { detail: text, audit: { event: 'login', actor: text, outcome: 'success' } })
    expect(lines).to.have.lengthOf(1)
    expect(lines[0]).to.match(/^[^\p{Cc}]+\n$/u)
    const cut = text.slice(0, 1_000)
    expect(fields()[0]).to.have.property('detail', cut)
    expect(fields()[0]).to.have.nested.property('audit.actor', cut)
  })

  it('is readable when it is written to a terminal', () => {
    const { log, lines } = recorded({ pretty: true })
    log.warn('request refused', { status: 503, error: new TypeError('Invalid URL') })
    const text = lines.join('')
    expect(text).to.match(/^\[\d\d:\d\d:\d\d\.\d{3}\] .*WARN.*: .*request refused/)
    expect(text).to.include('status: 503').and.to.include('Invalid URL')
  })

  it('shows a request on one line in a terminal', () => {
    const { log, lines } = recorded({ pretty: true })
    const request = { requestId: 'r-1', method: 'GET', route: '/v1/pets', durationMs: 1.25, accountId: 7 }
    log.info('request', { ...request, status: 200 })
    log.info('request aborted', request)
    expect(lines.map((line) => line.replace(/^\[[\d:.]+\] /, ''))).to.deep.equal([
      'INFO: request GET /v1/pets 200 1.25 ms {"requestId":"r-1","accountId":7}\n',
      'INFO: request aborted GET /v1/pets 1.25 ms {"requestId":"r-1","accountId":7}\n',
    ])
  })

  it('can be switched to another level, and logs each change', () => {
    const { log, fields } = recorded({ level: 'silent' })
    log.error('no')
    log.setLevel('debug')
    log.debug('yes')
    expect([log.level(), log.enabled('debug')]).to.deep.equal(['debug', true])
    log.setLevel('error')
    log.warn('no')
    log.setLevel('silent')
    log.error('no')
    expect([log.level(), log.enabled('error')]).to.deep.equal(['silent', false])
    expect(fields().map(({ level, event, detail }) => [level, event, detail])).to.deep.equal([
      ['info', 'log level', 'debug'],
      ['debug', 'yes', undefined],
      ['info', 'log level', 'error'],
      ['info', 'log level', 'silent'],
    ])
  })

  it('identifies the process in every line if there are several processes', () => {
    const { log, lines } = recorded({ worker: 3 })
    log.info('request', { requestId: 'request-1' })
    expect(lines[0]).to.match(/^\{"level":"info","time":"[^"]+","worker":3,"requestId":"request-1","event":/)
  })

  it('follows level changes of another process without logging them', () => {
    const { log, fields } = recorded()
    for (const level of ['warn', 'info'] as const) {
      log.followLevel(level)
      log.info(level)
    }
    expect([log.level(), fields().map(({ event }) => event)]).to.deep.equal(['info', ['info']])
  })

  it('gives each line the time at which the line was written', () => {
    const { log, fields } = recorded()
    const clock = sinon.useFakeTimers({ now: Date.UTC(2026, 0, 2, 3, 4, 5, 678), toFake: ['Date'] })
    try {
      log.info('first')
      log.info('second')
      clock.tick(1)
      log.info('third')
    } finally {
      clock.restore()
    }
    const times = ['678', '678', '679'].map((milliseconds) => `2026-01-02T03:04:05.${milliseconds}Z`)
    expect(fields().map(({ time }) => time)).to.deep.equal(times)
  })
})
