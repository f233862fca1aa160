import { expect } from 'chai'
import { createLog } from '../../../src/adapters/pino/index.js'
import type { LogOptions } from '../../../src/adapters/pino/log.js'
import { readableFrom } from '../../../src/adapters/pino/readable-line.js'
import type { LogFields } from '../../../src/ports/log.js'

function written(options: Partial<LogOptions>, event: string, fields: LogFields): string {
  let lines = ''
  const destination = { write: (line: string) => (lines += line) }
  createLog({ level: 'info', pretty: false, ...options, destination }).info(event, fields)
  return lines
}

/** Two logs may be a millisecond apart. */
const timeless = (lines: string) => lines.replaceAll(/^\[[\d:.]+\] /gm, '')

describe('a line written by another process', () => {
  for (const [event, fields] of [
    ['request', { requestId: 'r', method: 'GET', route: '/v1/pets', status: 200, durationMs: 1.25 }],
    ['request aborted', { method: 'GET', route: '/v1/pets', accountId: 7 }],
    ['audit', { audit: { event: 'login', actor: 'account:1', outcome: 'success' } }],
    ['request failed', { error: new TypeError('Invalid URL', { cause: new Error('x') }) }],
    ['bare', {}],
  ] as const)
    it(`has the same readable form as a line of the current process: ${event}`, () => {
      const here = written({ pretty: true }, event, fields)
      expect(timeless(readableFrom(written({}, event, fields)))).to.equal(timeless(here))
    })

  it('names its process', () => {
    expect(readableFrom(written({ worker: 2 }, 'ready', { address: 'a' }))).to.include('worker: 2')
  })

  it('is unchanged if it is not a log line', () => {
    const lines = 'a word\n{"half":\n\n{"level":"loud"}\nnull\n[]\n"text"\n7\n'
    expect(readableFrom(lines)).to.equal(lines)
  })
})
