import { expect } from 'chai'
import type { Reply } from '../../support/http/client.js'
import { watching } from '../../support/watched-store.js'
import { createPetClient, type PetClient } from '../../support/http/pet-calls.js'
import { startService, type TestService } from '../../support/http/service.js'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Node sends these itself, so they are the same for every service. */
const TRANSPORT = ['connection', 'date', 'keep-alive', 'transfer-encoding', 'content-length']

const FIXED = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}
const JSON_BODY = { ...FIXED, 'content-type': 'application/json; charset=utf-8' }

/** All headers of a reply except the transport headers; checks the request ID. */
function headersOf({ headers }: Reply): object {
  const { 'x-request-id': requestId, ...others } = headers
  expect(requestId).to.match(UUID)
  return Object.fromEntries(Object.entries(others).filter(([name]) => !TRANSPORT.includes(name)))
}

describe('the headers of a reply', () => {
  let service: TestService
  let pets: PetClient
  let broken = false
  before(async () => {
    const aroundStore = watching(async (name, run) => {
      if (broken && name.startsWith('pets.')) throw new Error('broken on purpose')
      return await run()
    })
    service = await startService({ aroundStore })
    pets = await createPetClient(service)
  })
  after(async () => {
    await service.close()
  })
  const anonymous = (method: string, path: string, headers = {}) =>
    service.client.call(method, path, { headers })

  it('are exactly these for an internal error and for an unavailable store', async () => {
    broken = true
    const error = await pets.list()
    broken = false
    expect(error.status).to.equal(500)
    expect(error.json).to.deep.equal({ code: 500, message: 'Internal error.' })
    expect(headersOf(error)).to.deep.equal(JSON_BODY)
    await service.store.close()
    const away = await pets.list()
    expect(away.status).to.equal(503)
    expect(headersOf(away)).to.deep.equal({ ...JSON_BODY, 'retry-after': '2' })
  })

  it('have a new request ID every time', async () => {
    const ids = await Promise.all(
      Array.from(
        { length: 20 },
        async () => (await anonymous('GET', '/health/live')).headers['x-request-id'],
      ),
    )
    expect(new Set(ids).size).to.equal(20)
  })
})
