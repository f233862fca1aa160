import { expect } from 'chai'
import { connectionNotices } from '../../src/adapters/koa/server/connections.js'
import type { Exchange } from '../../src/http/message.js'
import { reportBrokenRequest, reportRequest } from '../../src/http/request-log.js'
import type { LogFields } from '../../src/ports/log.js'
import type { Metrics } from '../../src/ports/metrics.js'

const THROWN = new Error('a defect of the metrics')

/** Returns observers whose metrics throw, and the lines that their log receives. */
function observed() {
  const lines: (readonly [event: string, error: unknown])[] = []
  const note = (event: string, fields?: LogFields) => void lines.push([event, fields?.error])
  const fail = () => {
    throw THROWN
  }
  const log = { debug: note, info: note, warn: note, error: note, enabled: () => true }
  const metrics = { requestAnswered: fail, connectionClosed: fail } as unknown as Metrics
  return { observers: { log, metrics }, lines }
}

describe('metrics that throw', () => {
  const exchange = { request: { requestId: 'request-1' } } as Exchange

  for (const status of [200, 'aborted'] as const)
    it(`do not affect a finished request, which is logged as usual (${status})`, () => {
      const { observers, lines } = observed()
      reportRequest(observers, { method: 'GET', route: '/v1/pets', status, duration: 1 }, exchange)
      const event = status === 'aborted' ? 'request aborted' : 'request'
      expect(lines).to.deep.equal([
        ['metrics failed', THROWN],
        [event, undefined],
      ])
    })

  it('do not affect the response to a request without a complete header section', () => {
    const { observers, lines } = observed()
    reportBrokenRequest(observers, { requestId: 'request-1', status: 400 })
    expect(lines.map(([event]) => event)).to.deep.equal(['metrics failed', 'request'])
  })

  it('do not prevent the server from closing a connection', () => {
    const { observers, lines } = observed()
    const notices = connectionNotices(observers)
    notices.refused()
    notices.closed('stalled')
    const events = ['metrics failed', 'connections closed']
    expect(lines.map(([event]) => event)).to.deep.equal([...events, ...events])
  })
})
