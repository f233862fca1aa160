import { expect } from 'chai'
import { startService, type TestService } from '../../support/http/service.js'
import { createPetClient, expectError, PETS, type PetClient } from '../../support/http/pet-calls.js'
const NOTHING = 'There is nothing at this path.'
const NOT_ACCEPTABLE = 'Only application/json can be sent.'

describe('methods, paths and types of the pet routes', () => {
  let service: TestService
  let pets: PetClient
  before(async () => {
    service = await startService()
    pets = await createPetClient(service)
    await pets.add()
  })
  after(() => service.close())

  for (const path of [
    '/',
    '/v1',
    '/v1/',
    '/v1/pets/',
    '/v1/Pets',
    '/V1/pets',
    '/v2/pets',
    '/pets',
    '//v1/pets',
    '/v1//pets',
    '/v1/pets/1/',
    '/v1/pets/1/traits',
    '/v1/pets/../../etc/passwd',
    '/v1/%70ets/x/y',
    '/health',
    '/health/',
    '/openapi',
    '/api',
    '/favicon.ico',
    '/__proto__',
    '/constructor',
  ]) {
    it(`are not at ${path}`, async () => {
      for (const method of ['GET', 'POST', 'DELETE']) {
        expectError(await service.client.call(method, path), 404, NOTHING)
      }
    })
  }

  it('accept an absolute URL as target, as proxies send it', async () => {
    const reply = await pets.call('GET', `http://evil.example${PETS}?limit=1`)
    expect(reply.status).to.equal(200)
  })

  it('are 406 for clients that accept no JSON, and change nothing', async () => {
    const html = { Accept: 'text/html' }
    expectError(await pets.list('', html), 406, NOT_ACCEPTABLE)
    expectError(await pets.create({ name: 'Rex' }, html), 406)
    expectError(await pets.read(1, html), 406)
    expectError(await pets.patch(1, { age: 1 }, html), 406)
    expect((await pets.read(1)).headers.etag).to.equal('"1-1"')
  })
})
