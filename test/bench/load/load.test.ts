import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import type { Load } from '../../../bench/load/load.js'
import type { Request } from '../../../bench/load/requests.js'
import type { Traffic } from '../../../bench/load/traffic.js'
import { sendEvenly } from '../../../bench/load/writes.js'
import { runJob } from '../../../bench/workplace/processes.js'

const READS: readonly Request[] = Array.from({ length: 50 }, (_, index) => ({
  method: 'GET',
  path: `/${index}`,
}))
const WRITES: readonly Request[] = [1, 2].map((number) => ({ method: 'POST', path: `/${number}` }))

describe('the load generator', () => {
  let server: Server
  let address: string
  let seen: string[]
  let refused: string | undefined
  beforeEach(async () => {
    seen = []
    refused = undefined
    server = createServer(({ method, url }, response) => {
      seen.push(`${method ?? ''} ${url ?? ''}`)
      response.statusCode = url === refused ? 503 : 200
      response.end('a body')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })

  async function fire(load: Partial<Load>): Promise<Traffic> {
    const whole: Load = { address, connections: 4, requests: READS, ...load }
    return await runJob<Traffic>('load/load', 'anywhere', whole)
  }

  it('sends reads in random order for a fixed time, and sends each write once without counting it', async () => {
    const { count } = await fire({ isRandom: true, seconds: 1, writes: WRITES })
    const reads = seen.filter((one) => one.startsWith('GET '))
    expect(count).to.equal(reads.length)
    expect(new Set(reads).size).to.equal(READS.length)
    expect(reads.slice(0, 200)).to.not.deep.equal(
      Array.from({ length: 200 }, (_, index) => `GET /${index % 50}`),
    )
    expect(seen.filter((one) => one.startsWith('POST ')).toSorted()).to.deep.equal(['POST /1', 'POST /2'])
  })

  it('fails if a response is not successful', async () => {
    refused = '/7'
    const failed = await fire({ amount: READS.length }).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(failed).to.be.an('error').with.property('message').that.contains('ended with 1')
  })

  it('distributes writes evenly over the duration, and fails if a write is rejected', async () => {
    refused = '/2'
    let passed = 0.5
    const sent = sendEvenly(address, WRITES, { passed: () => passed, seconds: 1 })
    while (seen.length < 1) await once(server, 'request')
    expect(seen).to.deep.equal(['POST /1'])
    passed = 0.6
    while (seen.length < WRITES.length) await once(server, 'request')
    const failed = await sent().then(
      () => undefined,
      (error: unknown) => String(error),
    )
    expect(failed).to.equal('Error: a write was answered with 503: a body')
  })
})
