import { expect } from 'chai'
import { startService, type TestService } from '../../support/http/service.js'
import { createPetClient, expectError, PETS, type PetClient } from '../../support/http/pet-calls.js'

const NOT_ALLOWED = 'This method is not allowed here; see the Allow header.'
const NOTHING = 'There is nothing at this path.'
const NOT_ACCEPTABLE = 'Only application/json can be sent.'

function methodsIn(header: string | undefined): string[] {
  return (header ?? '')
    .split(',')
    .map((one) => one.trim())
    .sort()
}

describe('methods, paths and types of the pet routes', () => {
  let service: TestService
  let pets: PetClient
  before(async () => {
    service = await startService()
    pets = await createPetClient(service)
    await pets.add()
  })
  after(() => service.close())

  const allowed = {
    [PETS]: ['GET', 'HEAD', 'POST'],
    [`${PETS}/1`]: ['DELETE', 'GET', 'HEAD', 'PATCH'],
    '/health/live': ['GET', 'HEAD'],
    '/health/ready': ['GET', 'HEAD'],
    '/openapi.json': ['GET', 'HEAD'],
  }
  for (const [path, methods] of Object.entries(allowed)) {
    it(`allow ${methods.join(', ')} on ${path} and nothing else`, async () => {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY', 'LINK']) {
        if (methods.includes(method) || (method === 'QUERY' && process.version.startsWith('v20'))) continue
        const reply = await pets.call(method, path)
        expectError(reply, 405, NOT_ALLOWED)
        expect(methodsIn(reply.headers.allow), method).to.deep.equal(methods)
      }
    })

    it(`list the allowed methods on ${path} without credentials`, async () => {
      const reply = await service.client.call('OPTIONS', path)
      expect(reply.status).to.equal(200)
      expect(reply.text).to.equal('')
      expect(methodsIn(reply.headers.allow)).to.deep.equal(methods)
    })
  }

  it('are 405 before credentials are checked', async () => {
    expectError(await service.client.call('PUT', `${PETS}/1`), 405)
  })

  it('do not let a header change the method', async () => {
    const names = ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override']
    const headers = Object.fromEntries(names.map((name) => [name, 'PATCH']))
    expectError(await pets.call('POST', `${PETS}/1`, { headers, json: { age: 7 } }), 405)
    expect(
      (await pets.call('GET', `${PETS}/1?_method=PATCH`, { headers, json: { age: 7 } })).status,
    ).to.equal(200)
    expect((await pets.read(1)).json).to.deep.equal({ id: 1, name: 'Rex' })
  })

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

  it('are 404 in the shape of the identity routes below /api/', async () => {
    const reply = await service.client.call('GET', '/api/pets')
    expect(reply.status).to.equal(404)
    expect(reply.json).to.have.all.keys('code', 'response', 'view')
  })

  it('accept an absolute URL as target, as proxies send it', async () => {
    const reply = await pets.call('GET', `http://evil.example${PETS}?limit=1`)
    expect(reply.status).to.equal(200)
  })

  for (const accept of [
    'application/json',
    '*/*',
    'application/*',
    'text/html, */*;q=0.1',
    'application/json;q=0.5',
    '',
  ]) {
    it(`answer clients that accept "${accept}"`, async () => {
      expect((await pets.list('', { Accept: accept })).status).to.equal(200)
    })
  }

  for (const accept of [
    'text/html',
    'application/xml',
    'application/json;q=0',
    'text/*',
    'image/png, text/html',
    'garbage',
  ]) {
    it(`are 406 for clients that accept only ${accept}`, async () => {
      expectError(await pets.list('', { Accept: accept }), 406, NOT_ACCEPTABLE)
      expectError(await pets.create({ name: 'Rex' }, { Accept: accept }), 406)
      expectError(await pets.read(1, { Accept: accept }), 406)
      expectError(await pets.patch(1, { age: 1 }, { Accept: accept }), 406)
      expect((await pets.read(1)).headers.etag).to.equal('"1-1"')
    })
  }
})
