import { expect } from 'chai'
import { startService, type TestService } from '../../support/http/service.js'
import { createPetClient, expectError, type PetClient } from '../../support/http/pet-calls.js'

describe('reading a pet', () => {
  let service: TestService
  let pets: PetClient
  before(async () => {
    service = await startService()
    pets = await createPetClient(service)
    await pets.add({ name: 'Rex' })
    await pets.add({ name: 'Max' })
    await pets.patch(2, { bark: true })
  })
  after(() => service.close())

  const absent = {
    'the next ID': '3',
    zero: '0',
    'a leading zero': '01',
    'a trailing space': '1%20',
    'U+0000': '%00',
    'an encoded parent path': '..%2Fx',
    'a plain parent path': '../x',
    'a trailing slash': '1/',
    'an encoded slash': '1%2F',
    'a plain query operator': '{"$gt":""}',
    'a member name of Object': '__proto__',
    'one kB': '1'.repeat(1024),
    'broken percent-encoding': '%ZZ',
    'bytes that are not UTF-8': '%FF%FE',
    'a matrix parameter': '1;v=1',
  }
  for (const [what, id] of Object.entries(absent)) {
    it(`is 404 for ${what}`, async () => {
      expectError(await pets.read(id), 404)
      expectError(await pets.patch(id, { age: 1 }), 404)
    })
  }

  it('accepts a percent-encoded ID', async () => {
    expect((await pets.read('%31')).json).to.deep.equal({ id: 1, name: 'Rex' })
  })

  it('ignores a query', async () => {
    expect((await pets.read('1?id=2&petId=2')).json).to.deep.equal({ id: 1, name: 'Rex' })
  })
})

describe('a conditional read of a pet', () => {
  let service: TestService
  let pets: PetClient
  before(async () => {
    service = await startService()
    pets = await createPetClient(service)
    await pets.add()
  })
  after(() => service.close())

  const read = (tags: string | readonly string[]) => pets.read(1, { 'If-None-Match': tags })

  for (const tags of ['"1-1"', '*', 'W/"1-1"', '"x", "1-1"', 'W/"x",W/"1-1" , "y"']) {
    it(`is 304 for ${tags}`, async () => {
      const reply = await read(tags)
      expect(reply.status).to.equal(304)
      expect(reply.text).to.equal('')
      expect(reply.headers.etag).to.equal('"1-1"')
      expect(reply.headers['cache-control']).to.equal('private, no-cache, no-transform')
      expect(reply.headers['content-type']).to.equal(undefined)
    })
  }

  it('is 304 for a tag in the second of two headers', async () => {
    expect((await read(['"x"', '"1-1"'])).status).to.equal(304)
  })

  it('is 200 with the new ETag after a change', async () => {
    const { headers } = await pets.patch(1, { age: 3 })
    expect(headers.etag).to.equal('"1-2"')
    expect((await read('"1-1"')).json).to.deep.equal({ id: 1, name: 'Rex', age: 3 })
    expect((await read('"1-2"')).status).to.equal(304)
  })

  it('ignores If-Modified-Since', async () => {
    const headers = { 'If-Modified-Since': 'Fri, 01 Jan 2100 00:00:00 GMT' }
    expect((await pets.read(1, headers)).status).to.equal(200)
  })
})
