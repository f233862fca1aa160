import { expect } from 'chai'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createLog, type LogOptions } from '../../../src/adapters/pino/index.js'
import type { LogFields } from '../../../src/ports/log.js'

const ENDING_PROCESS = fileURLToPath(new URL('./ending-process-main.js', import.meta.url))

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

  it('can be silent', () => {
    const { log, lines } = recorded({ level: 'silent' })
    log.error('no')
    expect(lines).to.deep.equal([])
    expect(log.enabled('error')).to.be.false
  })

  it('leaves out what is not on the list or not of its type', () => {
    const { log, lines } = recorded()
    const fields = { status: 500, password: 'Canary', route: { secret: 'Canary' }, count: 'Canary' }
    log.info('x', fields as unknown as LogFields)
    const { time: _, ...rest } = JSON.parse(lines[0]!) as Record<string, unknown>
    expect(rest).to.deep.equal({ level: 'info', event: 'x', status: 500 })
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

  for (const form of ['plain', 'pretty'])
    it(`has written every line when the process is killed (${form})`, () => {
      const { stdout, signal } = spawnSync(process.execPath, [ENDING_PROCESS, form], { encoding: 'utf8' })
      expect(signal).to.equal('SIGKILL')
      expect(stdout.match(/line/g)).to.have.lengthOf(1_000)
    })
})
