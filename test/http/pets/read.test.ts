import { expect } from 'chai'
import { startService, type TestService } from '../../support/http/service.js'
import { createPetClient, expectError, PETS, type PetClient } from '../../support/http/pet-calls.js'

const NO_PET = 'There is no pet with this id.'

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

  it('returns the pet with its ETag', async () => {
    const { status, json, headers } = await pets.read(1)
    expect(status).to.equal(200)
    expect(json).to.deep.equal({ id: 1, name: 'Rex' })
    expect(headers.etag).to.equal('"1-1"')
    expect(headers['cache-control']).to.equal('private, no-cache, no-transform')
  })

  it('shows traits as members of the pet', async () => {
    const { json, headers } = await pets.read(2)
    expect(json).to.deep.equal({ id: 2, name: 'Max', bark: true })
    expect(headers.etag).to.equal('"2-2"')
  })

  it('answers HEAD with the same headers and no body', async () => {
    const { status, text, headers } = await pets.call('HEAD', `${PETS}/1`)
    expect(status).to.equal(200)
    expect(text).to.equal('')
    expect(headers.etag).to.equal('"1-1"')
    expect(headers['content-length']).to.equal(String(Buffer.byteLength('{"id":1,"name":"Rex"}')))
  })

  const absent = {
    'the next ID': '3',
    zero: '0',
    'a negative number': '-1',
    'a number with a plus sign': '+1',
    '2^53': '9007199254740992',
    '2^53 - 1': '9007199254740991',
    '2^53 + 1': '9007199254740993',
    '2^64': '18446744073709551616',
    '20 nines': '9'.repeat(20),
    'a fraction': '1.0',
    'an exponent': '1e0',
    hexadecimal: '0x1',
    'a leading zero': '01',
    'a leading space': '%201',
    'a trailing space': '1%20',
    'a line end': '1%0A',
    'U+0000': '%00',
    'a trailing U+0000': '1%00',
    'an encoded parent path': '..%2Fx',
    'a plain parent path': '../x',
    dots: '..',
    'a trailing slash': '1/',
    'an encoded slash': '1%2F',
    'a query operator': '%7B%22%24gt%22%3A%22%22%7D',
    'a plain query operator': '{"$gt":""}',
    SQL: "1'%20or%20'1'='1",
    'a word': 'abc',
    'a member name of Object': '__proto__',
    NaN: 'NaN',
    'Arabic digits': '%D9%A1',
    'one kB': '1'.repeat(1024),
    'broken percent-encoding': '%ZZ',
    'bytes that are not UTF-8': '%FF%FE',
    'a list': '1,2',
    'a matrix parameter': '1;v=1',
  }
  for (const [what, id] of Object.entries(absent)) {
    it(`is 404 for ${what}`, async () => {
      expectError(await pets.read(id), 404)
      expectError(await pets.patch(id, { age: 1 }), 404)
    })
  }

  it('is the same for every ID without a pet', async () => {
    for (const id of ['3', '-1', '%00', 'abc', '9'.repeat(1024)])
      expectError(await pets.read(id), 404, NO_PET)
    expectError(await pets.patch('3', { age: 1 }, { 'If-Match': '*' }), 404, NO_PET)
  })

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

  for (const tags of ['"1-2"', '"2-1"', '1-1', '"x"', '', '"1-1', 'x, y', '"1-1x"', '"*"']) {
    it(`is 200 for ${tags === '' ? 'an empty header' : tags}`, async () => {
      const reply = await read(tags)
      expect(reply.status).to.equal(200)
      expect(reply.json).to.deep.equal({ id: 1, name: 'Rex' })
    })
  }

  it('is 200 with the new ETag after a change', async () => {
    const { headers } = await pets.patch(1, { age: 3 })
    expect(headers.etag).to.equal('"1-2"')
    expect((await read('"1-1"')).json).to.deep.equal({ id: 1, name: 'Rex', age: 3 })
    expect((await read('"1-2"')).status).to.equal(304)
  })

  it('is 404 for an unknown pet, and 401 without credentials', async () => {
    expectError(await pets.read(9, { 'If-None-Match': '*' }), 404)
    const reply = await service.client.call('GET', `${PETS}/1`, { headers: { 'If-None-Match': '*' } })
    expect(reply.status).to.equal(401)
  })

  it('ignores If-Modified-Since', async () => {
    const headers = { 'If-Modified-Since': 'Fri, 01 Jan 2100 00:00:00 GMT' }
    expect((await pets.read(1, headers)).status).to.equal(200)
  })
})
