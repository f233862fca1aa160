import { expect } from 'chai'
import { connectionNotices } from '../../src/adapters/koa/server/connections.js'
import type { Exchange } from '../../src/http/message.js'
import { reportRequest } from '../../src/http/request-log.js'
import type { LogFields } from '../../src/ports/log.js'
import type { Metrics } from '../../src/ports/metrics.js'
import { createHandler } from '../../src/adapters/web/index.js'
import type { Kennel } from '../../src/index.js'
import { collectingLog } from '../support/log-collector.js'
import { EMAIL, ORIGIN, openMemoryKennel } from '../support/http/memory-kennel.js'
import { PASSWORD } from '../support/http/service.js'

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

  it('do not prevent the server from closing a connection', () => {
    const { observers, lines } = observed()
    const notices = connectionNotices(observers)
    notices.refused()
    notices.closed('stalled')
    const events = ['metrics failed', 'connections closed']
    expect(lines.map(([event]) => event)).to.deep.equal([...events, ...events])
  })
})

describe('the log line for a 401', () => {
  let kennel: Kennel
  afterEach(() => kennel.close())

  /** Returns the log detail for a request with these headers, which may refer to a cookie and a token. */
  async function detail(
    headersOf: (login: Readonly<Record<'cookie' | 'bearer' | 'other', string>>) => Record<string, string>,
    production = false,
  ): Promise<unknown> {
    kennel = await openMemoryKennel({ production, ...(production && { publicUrl: 'https://pets.example' }) })
    const [login, another] = await Promise.all(
      [1, 2].map(() => kennel.login({ email: EMAIL, password: PASSWORD, presented: {} })),
    )
    const headers = headersOf({
      cookie: `${production ? '__Host-sid' : 'sid'}=${login?.sessionKey ?? ''}`,
      bearer: `Bearer ${login?.accessToken ?? ''}`,
      other: `Bearer ${another?.accessToken ?? ''}`,
    })
    const { log, requests } = collectingLog()
    const reply = await createHandler(kennel, { log })(
      new Request(`${ORIGIN}/api/auth/get-identity`, { headers }),
    )
    expect(reply.status).to.equal(401)
    return requests[0]?.fields.detail
  }

  it('says that the token is missing', async () => {
    expect(await detail(({ cookie }) => ({ cookie }))).to.equal('the cookie came without X-Authorization')
  })
  it('says that the token is in the wrong header', async () => {
    const told = 'the access token is in Authorization, but the service reads it from X-Authorization'
    expect(await detail(({ bearer, cookie }) => ({ Authorization: bearer, cookie }))).to.equal(told)
  })
  it('says that the cookie and the token belong to different sessions', async () => {
    const mixed = await detail(({ cookie, other }) => ({ cookie, 'X-Authorization': other }))
    expect(mixed).to.equal('the cookie and the bearer token belong to different sessions')
  })
  it('contains no reason in production', async () => {
    expect(await detail(({ bearer }) => ({ Authorization: bearer }), true)).to.equal(undefined)
  })
})
