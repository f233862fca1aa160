import { expect } from 'chai'
import { newcomer, LOGIN } from '../../support/http/browser.js'
import type { Line } from '../../support/log-collector.js'
import { createGate, watching } from '../../support/watched-store.js'
import { basic, createPetClient, PETS } from '../../support/http/pet-calls.js'
import { observed } from './observed.js'
import type { TestService } from '../../support/http/service.js'
import { openWire, requestText } from '../../support/http/wire.js'
import { requestIdOf } from '../../../src/http/reply/reply-headers.js'

const GENERATED = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Returns the fields of a log line that describe the request. */
const told = ({ fields: { method, route, status } }: Line) => [method, route, status]
const who = ({ fields: { route, accountId, apiKeyId } }: Line) => [route, accountId, apiKeyId]

describe('the log line for a request', () => {
  it('contains exactly the request ID, method, route, status, duration and account', async () => {
    let id = 0
    let requestId: unknown
    const { requests, counted } = await observed(async (service) => {
      const browser = await newcomer(service)
      id = browser.id
      requestId = (await browser.getIdentity()).headers['x-request-id']
    })
    const line = requests[1]
    expect(line?.fields.durationMs).to.be.a('number').at.least(0)
    const { durationMs, ...fields } = line?.fields ?? {}
    expect({ ...line, fields }).to.deep.equal({
      level: 'info',
      event: 'request',
      fields: { requestId, method: 'GET', route: '/api/auth/get-identity', status: 200, accountId: id },
    })
    const { duration, ...number } = counted[1] ?? { duration: undefined }
    expect(number).to.deep.equal({ method: 'GET', route: '/api/auth/get-identity', status: 200 })
    expect(duration).to.be.closeTo(durationMs ?? -1, 0.01)
  })

  it('contains the account named in the HTTP Basic credentials, or the ID of the API key', async () => {
    let id = 0
    const { requests } = await observed(async (service) => {
      id = await service.account('ada@example.com')
      const headers = { Authorization: basic('ada@example.com') }
      await service.client.call('GET', PETS, { headers })
      await (await createPetClient(service)).read(5)
    })
    expect(requests.map(who)).to.deep.equal([
      [PETS, id, undefined],
      [`${PETS}/:petId`, undefined, 1],
    ])
  })

  it('contains the route pattern (even if the method is unsupported), or `unmatched` for an unknown path', async () => {
    const { requests, counted } = await observed(async ({ client }) => {
      await client.call('GET', `${PETS}/canary?canary=1`)
      await client.call('HEAD', '/health/live')
      await client.call('PUT', `${PETS}/7`)
      await client.call('GET', '/canary')
      await client.call('PROPFIND', '/health/live')
    })
    expect(requests.map(told)).to.deep.equal([
      ['GET', `${PETS}/:petId`, 401],
      ['HEAD', '/health/live', 200],
      ['PUT', `${PETS}/:petId`, 405],
      ['GET', 'unmatched', 404],
      ['other', '/health/live', 405],
    ])
    const counts = counted.map(({ method, route, status }) => [method, route, status])
    expect(counts).to.deep.equal(requests.map(told))
  })

  it('contains no status if the client reset the connection before the response', async () => {
    const gate = createGate()
    const aroundStore = watching(async (name, run) => {
      if (name === 'pets.find') await gate.pass()
      return await run()
    })
    const { requests, counted, lines } = await observed(
      async (service) => {
        const headers = { Host: 'x', 'X-API-Key': await service.apiKey() }
        const wire = await openWire(service.origin)
        wire.send(requestText(`GET ${PETS}/1 HTTP/1.1`, headers))
        await gate.reached
        wire.socket.resetAndDestroy()
        await wire.closed()
        // The server completes another request only after detecting the reset.
        await service.client.call('GET', '/health/live')
        gate.release()
      },
      { aroundStore },
    )
    const aborted = requests.filter(({ event }) => event === 'request aborted')
    expect(aborted.map(told)).to.deep.equal([['GET', `${PETS}/:petId`, undefined]])
    expect(counted.map(({ status }) => status)).to.have.members(['aborted', 200])
    expect(lines).to.deep.equal([])
  })
})

describe('the log line for a malformed request', () => {
  it('is written even without a complete header section', async () => {
    let requestId: string | undefined
    const { requests, counted } = await observed(async ({ origin }) => {
      const wire = await openWire(origin)
      wire.send('hello\r\n\r\n')
      requestId = (await wire.closed())[0]?.headers.get('X-Request-Id') ?? undefined
    })
    expect(requestId).to.match(GENERATED)
    const fields = { requestId, method: 'other', route: 'unmatched', status: 400 }
    expect(requests).to.deep.equal([{ level: 'info', event: 'request', fields }])
    expect(counted).to.deep.equal([{ method: 'other', route: 'unmatched', status: 400, duration: 0 }])
  })
})

describe('a request ID', () => {
  const given = 'a.b-c_D9'

  it('appears in the response, the log and the audit record if a trusted proxy sends it', async () => {
    const act = async ({ client, store }: TestService) => {
      const json = { email: 'ada@example.com', password: 'not the password' }
      const { headers } = await client.call('POST', LOGIN, { headers: { 'X-Request-Id': given }, json })
      expect(headers['x-request-id']).to.equal(given)
      const records = await store.audit.page({ limit: 10, event: 'login' })
      expect(records.map(({ requestId }) => requestId)).to.deep.equal([given])
    }
    const { requests } = await observed(act, { settings: { trustProxy: 1 } })
    expect(requests.map(({ fields }) => fields.requestId)).to.deep.equal([given])
  })

  it('is replaced by a generated ID if a trusted proxy sends a malformed ID', () => {
    for (const one of ['12345678', 'a.b-c_D9', 'x'.repeat(64)]) expect(requestIdOf(one, true)).to.equal(one)
    for (const one of [
      ...['', '1234567', 'x'.repeat(65), 'request-1, request-1', 'request 1', 'request"1', undefined],
      ...['réquête-1', 'request\u20281', 'request-1\u001b[31m', 'request-1\n', 'request-1\u0000'],
    ])
      expect(requestIdOf(one, true), one).to.match(GENERATED)
    expect(requestIdOf(given, false)).to.match(GENERATED)
  })
})
