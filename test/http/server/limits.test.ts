import type { RequestListener } from 'node:http'
import { expect } from 'chai'
import type { ServerLimits } from '../../../src/adapters/koa/server/server.js'
import { finish, requestText, serversOfTests } from '../../support/http/wire.js'

/** The minimum and the maximum of each setting. */
const TIMES = [100, 3_600_000] as const
const CONNECTIONS = [1, 1_000_000] as const
/** A measured limit, in milliseconds. */
const LIMIT = 400
/** Timers with the same delay fire in any order. */
const EARLY = 20
/** How many milliseconds Node waits after the keep-alive timeout before it closes an idle connection. */
const KEEP_ALIVE_BUFFER = 1_000

const GET = requestText('GET / HTTP/1.1', { Host: 'x' })
const BEGINNINGS = {
  'a head': GET.slice(0, 10),
  'a body': requestText('POST / HTTP/1.1', { Host: 'x', 'Content-Length': '4' }, 'ab'),
  'a chunk': requestText('POST / HTTP/1.1', { Host: 'x', 'Transfer-Encoding': 'chunked' }, '4\r\nab'),
}

/** Replies when the whole request has arrived; a request for `/held` gets no reply. */
const handler: RequestListener = (request, response) => {
  request.on('error', () => undefined)
  request.resume().once('end', () => {
    if (request.url === '/held') return
    finish(response)
  })
}

type Limits = Partial<ServerLimits>

/** Calls the function concurrently with every combination of extreme values of the other limits. */
async function withEnds(
  ends: { readonly [Name in keyof ServerLimits]?: readonly number[] },
  measure: (others: Limits) => Promise<void>,
): Promise<void> {
  const combined = Object.entries(ends).reduce<Limits[]>(
    (all, [name, values]) => all.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    [{}],
  )
  await Promise.all(combined.map(measure))
}

/** Rejects if the event happens before the limit. The test times out if the event happens far too late. */
async function expectAfter(limit: number, event: Promise<unknown>): Promise<void> {
  let hasPassed = false
  setTimeout(() => (hasPassed = true), limit - EARLY)
  await event
  expect(hasPassed, 'the limit has passed').to.equal(true)
}

describe('a server limit, if the other limits have extreme values', () => {
  const bind = serversOfTests()
  const afterReply = async (limits: Limits) => {
    const server = await bind(handler, limits)
    const wire = await server.open()
    wire.send(GET)
    await wire.repliesAfter(1)
    return { server, wire }
  }
  const statusesOf = (replies: readonly { status: number }[]) => replies.map(({ status }) => status)
  const OTHER_TIMES = { keepAliveTimeout: TIMES, maxConnections: CONNECTIONS }

  for (const [what, bytes] of Object.entries(BEGINNINGS))
    it(`causes a 408 after REQUEST_TIMEOUT if a later request lacks the rest of ${what}`, () =>
      withEnds(OTHER_TIMES, async (others) => {
        const requestTimeout = KEEP_ALIVE_BUFFER + 2 * LIMIT
        const { wire } = await afterReply({ ...others, requestTimeout })
        wire.send(bytes)
        await expectAfter(requestTimeout, wire.closed())
        expect(statusesOf(wire.replies())).to.deep.equal([200, 408])
      }))

  it('closes an idle connection after KEEP_ALIVE_TIMEOUT even if the client has sent empty lines', () =>
    withEnds({ requestTimeout: [100, 2 * LIMIT] }, async (others) => {
      const { wire } = await afterReply({ ...others, keepAliveTimeout: LIMIT })
      wire.send('\r\n\r\n')
      await expectAfter(LIMIT, wire.closed())
      expect(statusesOf(wire.replies())).to.deep.equal([200])
    }))

  it('lets the server drain within the grace period', () =>
    withEnds({ requestTimeout: [1_000, 3_600_000], ...OTHER_TIMES }, async (others) => {
      const idle = await afterReply(others)
      expect(await idle.server.drain(3_600_000)).to.equal(true)
      const { server, wire } = await afterReply(others)
      wire.send(GET.replace('/', '/held'))
      await expectAfter(LIMIT, server.drain(LIMIT))
      expect(statusesOf(await wire.closed())).to.deep.equal([200])
    }))
})
