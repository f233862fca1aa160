import { expect } from 'chai'
import { startService, type TestService } from '../../support/http/service.js'
import { createPetClient, expectError, PETS, type PetClient } from '../../support/http/pet-calls.js'

describe('creating a pet', () => {
  let service: TestService
  let pets: PetClient
  before(async () => {
    service = await startService()
    pets = await createPetClient(service)
  })
  after(() => service.close())

  const all = async () => (await pets.list('?limit=100')).json as { id: number }[]

  /** Sends a body, as text if JSON.stringify would change it, and expects that no pet is created. */
  const expectRefused = async (body: unknown, message?: string) => {
    const before = await all()
    const call =
      typeof body === 'string' ? { body, headers: { 'Content-Type': 'application/json' } } : { json: body }
    const reply = await pets.call('POST', PETS, call)
    expectError(reply, 400, message)
    expect(reply.headers.location).to.equal(undefined)
    expect(await all()).to.deep.equal(before)
  }

  it('stores every kind of text unchanged', async () => {
    for (const name of [
      'x',
      '日本',
      'e\u0301',
      'é',
      "Robert'); DROP TABLE pets;--",
      '<b>&',
      '\\u0000',
      '{"$gt":""}',
      '\u2028',
    ]) {
      const id = await pets.add({ name: `a${name}a` })
      expect((await pets.read(id)).json).to.deep.equal({ id, name: `a${name}a` })
    }
  })

  it('rejects wrong types, including null', async () => {
    for (const wrong of [null, 7, true, {}, [], ['Rex'], { $gt: '' }]) {
      await expectRefused({ name: wrong })
      await expectRefused({ name: 'Rex', tag: wrong })
      await expectRefused({ name: 'Rex', category: wrong })
    }
  })

  for (const member of [
    'id',
    'role',
    'age',
    'bark',
    'revision',
    '__proto__',
    'constructor',
    'prototype',
    'toString',
  ]) {
    it(`rejects the member ${member} and names it`, async () => {
      await expectRefused(`{"name":"Rex","${member}":1}`)
      const reply = await pets.call('POST', PETS, {
        body: `{"name":"Rex","${member}":{"polluted":true}}`,
        headers: { 'Content-Type': 'application/json' },
      })
      expectError(reply, 400, `unknown field "${member}"`)
    })
  }

  it('suggests the member that was probably meant', async () => {
    await expectRefused({ Name: 'Rex' }, 'name: required; unknown field "Name" (did you mean "name"?)')
  })

  it('names all unknown members', async () => {
    await expectRefused({ name: 'Rex', id: 7, role: 'admin' }, 'unknown field "id", unknown field "role"')
  })

  it('leaves every prototype untouched', async () => {
    await expectRefused('{"name":"Rex","__proto__":{"polluted":true,"tag":"x"}}')
    await expectRefused('{"name":"Rex","constructor":{"prototype":{"polluted":true}}}')
    expect(Object.prototype).to.not.have.property('polluted')
    expect(({} as Record<string, unknown>)['polluted']).to.equal(undefined)
    const id = await pets.add({ name: 'Rex' })
    expect((await pets.read(id)).json).to.deep.equal({ id, name: 'Rex' })
  })

  it('answers a thousand unknown members with a short message', async () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`member${at}`, at]))
    const reply = await pets.create({ name: 'Rex', ...many })
    expectError(reply, 400)
    expect(reply.text.length).to.be.lessThan(400)
  })
})
