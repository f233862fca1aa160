import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { countingInto } from './observed.js'
import type { ConnectionEnding } from '../../../src/ports/metrics.js'
import { collectingLog } from '../../support/log-collector.js'
import { finish, requestText, serversOfTests, type Wire } from '../../support/http/wire.js'

const GET = requestText('GET / HTTP/1.1', { Host: 'x' })

describe('a server with a connection limit', () => {
  const bind = serversOfTests()
  let open: () => Promise<Wire>
  let closed: ConnectionEnding[]
  const { log, lines } = collectingLog()
  beforeEach(async () => {
    closed = []
    lines.length = 0
    const connectionClosed = (ending: ConnectionEnding) => closed.push(ending)
    const observers = { log, metrics: { ...countingInto([]), connectionClosed } }
    ;({ open } = await bind((_request, response) => finish(response), { maxConnections: 2, observers }))
  })

  it('closes connections above the limit immediately, and logs only one line', async () => {
    const [one, two] = [await open(), await open()]
    for (let times = 0; times < 5; times += 1) expect(await (await open()).closed()).to.deep.equal([])
    for (const wire of [one, two]) {
      wire.send(GET)
      expect(await wire.repliesAfter(1)).to.have.length(1)
    }
    expect(closed).to.deep.equal(Array.from({ length: 5 }, () => 'refused'))
    expect(lines).to.deep.equal([
      {
        level: 'warn',
        event: 'connections closed',
        fields: { detail: 'more than MAX_CONNECTIONS concurrent connections', count: 1 },
      },
    ])
  })

  it('accepts a new connection after another connection has closed', async () => {
    const [one] = [await open(), await open()]
    one.send(requestText('GET / HTTP/1.1', { Host: 'x', Connection: 'close' }))
    await one.closed()
    const next = await open()
    next.send(GET)
    expect(await next.repliesAfter(1)).to.have.length(1)
  })
})

describe('a server without a free file descriptor', () => {
  it('closes the connection that it cannot accept, and recovers when a file descriptor is free again', async () => {
    const main = fileURLToPath(new URL('descriptors-main.js', import.meta.url))
    const child = spawn('sh', ['-c', 'ulimit -n 512 && exec "$0" "$1"', process.execPath, main])
    const [printed, complaints] = await Promise.all([text(child.stdout), text(child.stderr)])
    expect(complaints).to.equal('')
    const served = 'HTTP/1.1 200'
    expect(JSON.parse(printed)).to.deep.equal({ before: served, without: '', after: served })
  })
})
