import { expect } from 'chai'
import sinon from 'sinon'
import { createLog } from '../../../src/adapters/pino/index.js'
import type { LogOptions } from '../../../src/adapters/pino/log.js'
import type { LogFields } from '../../../src/ports/log.js'

function recorded(options: Partial<LogOptions> = {}) {
  const lines: string[] = []
  const destination = { write: (line: string) => lines.push(line) }
  return { log: createLog({ level: 'debug', pretty: false, ...options, destination }), lines }
}

describe('the log', () => {
  it('writes one JSON object a line: level, time, fields, event', () => {
    const { log, lines } = recorded()
    log.info('ready', { address: 'http://127.0.0.1:3000', count: 2 })
    expect(lines).to.have.lengthOf(1)
    expect(lines[0]).to.match(/^\{.*\}\n$/)
    const { time, ...rest } = JSON.parse(lines[0]!) as Record<string, unknown>
    expect(rest).to.deep.equal({ level: 'info', event: 'ready', address: 'http://127.0.0.1:3000', count: 2 })
    expect(time).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  it('names its levels', () => {
    const { log, lines } = recorded()
    log.debug('a')
    log.info('b')
    log.warn('c')
    log.error('d')
    const levels = lines.map((line) => (JSON.parse(line) as { level: string }).level)
    expect(levels).to.deep.equal(['debug', 'info', 'warn', 'error'])
  })

  it('writes nothing below its level and says so beforehand', () => {
    const { log, lines } = recorded({ level: 'warn' })
    log.debug('no')
    log.info('no')
    log.warn('yes')
    expect(lines).to.have.lengthOf(1)
    expect([log.enabled('info'), log.enabled('warn'), log.enabled('error')]).to.deep.equal([
      false,
      true,
      true,
    ])
  })

  it('logs nothing at the level silent', () => {
    const { log, lines } = recorded({ level: 'silent' })
    log.error('no')
    expect(lines).to.deep.equal([])
    expect(log.enabled('error')).to.be.false
  })

  it('leaves out unknown fields and values of another type', () => {
    const { log, lines } = recorded()
    const fields = { status: 500, password: 'Canary', route: { secret: 'Canary' }, count: 'Canary' }
    log.info('x', fields as unknown as LogFields)
    const { time: _, ...rest } = JSON.parse(lines[0]!) as Record<string, unknown>
    expect(rest).to.deep.equal({ level: 'info', event: 'x', status: 500 })
  })

  it('leaves out undefined fields, but logs a thrown undefined', () => {
    const { log, lines } = recorded()
    log.info('x', { requestId: undefined, status: undefined, audit: undefined, error: undefined })
    const { time: _, ...rest } = JSON.parse(lines[0]!) as Record<string, unknown>
    expect(rest).to.deep.equal({ level: 'info', event: 'x', error: { name: 'thrown undefined' } })
  })

  it('keeps a line a line and of bounded length', () => {
    const { log, lines } = recorded()
    log.info('x', { detail: `a\nb${'c'.repeat(100_000)}` })
    expect(lines[0]!.split('\n')).to.have.lengthOf(2)
    expect(lines[0]).to.have.length.below(1_200)
  })

  it('is readable on a terminal', () => {
    const { log, lines } = recorded({ pretty: true })
    log.warn('request refused', { status: 503, error: new TypeError('Invalid URL') })
    const text = lines.join('')
    expect(text).to.match(/^\[\d\d:\d\d:\d\d\.\d{3}\] .*WARN.*: .*request refused/)
    expect(text).to.include('status: 503').and.to.include('Invalid URL')
  })

  it('shows a request on one line of a terminal', () => {
    const { log, lines } = recorded({ pretty: true })
    const request = {
      requestId: 'request-1',
      method: 'GET',
      route: '/v1/pets',
      durationMs: 1.25,
      accountId: 7,
    }
    log.info('request', { ...request, status: 200 })
    log.info('request aborted', request)
    expect(lines.map((line) => line.replace(/^\[[\d:.]+\] /, ''))).to.deep.equal([
      'INFO: request GET /v1/pets 200 1.25 ms {"requestId":"request-1","accountId":7}\n',
      'INFO: request aborted GET /v1/pets 1.25 ms {"requestId":"request-1","accountId":7}\n',
    ])
  })

  it('can be set to another level, and logs each change', () => {
    const { log, lines } = recorded({ level: 'silent' })
    log.error('no')
    log.setLevel('debug')
    log.debug('yes')
    expect([log.level(), log.enabled('debug')]).to.deep.equal(['debug', true])
    log.setLevel('error')
    log.warn('no')
    log.setLevel('silent')
    log.error('no')
    expect([log.level(), log.enabled('error')]).to.deep.equal(['silent', false])
    const told = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(told.map(({ level, event, detail }) => [level, event, detail])).to.deep.equal([
      ['info', 'log level', 'debug'],
      ['debug', 'yes', undefined],
      ['info', 'log level', 'error'],
      ['info', 'log level', 'silent'],
    ])
  })

  it('names its process in every line if there are several processes', () => {
    const { log, lines } = recorded({ worker: 3 })
    log.info('request', { requestId: 'request-1' })
    expect(lines[0]).to.match(/^\{"level":"info","time":"[^"]+","worker":3,"requestId":"request-1","event":/)
  })

  it('follows another process to a level without a line', () => {
    const { log, lines } = recorded()
    log.followLevel('warn')
    log.info('no')
    log.followLevel('info')
    log.info('yes')
    expect([log.level(), lines.length]).to.deep.equal(['info', 1])
    expect(lines[0]).to.include('"event":"yes"')
  })

  it('dates each line by the time at which it was written', () => {
    const { log, lines } = recorded()
    const clock = sinon.useFakeTimers({ now: Date.UTC(2026, 0, 2, 3, 4, 5, 678), toFake: ['Date'] })
    try {
      log.info('first')
      log.info('second')
      clock.tick(1)
      log.info('third')
    } finally {
      clock.restore()
    }
    expect(lines.map((line) => (JSON.parse(line) as { time: string }).time)).to.deep.equal([
      '2026-01-02T03:04:05.678Z',
      '2026-01-02T03:04:05.678Z',
      '2026-01-02T03:04:05.679Z',
    ])
  })
})
