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

  it('is 201 with an empty body and a Location', async () => {
    const reply = await pets.create({ name: 'Rex', tag: 'brown', category: 'Two' })
    expect(reply.status).to.equal(201)
    expect(reply.text).to.equal('')
    expect(reply.headers['content-length']).to.equal('0')
    expect(reply.headers['content-type']).to.equal(undefined)
    expect(reply.headers.location).to.equal(`${service.origin}${PETS}/1`)
    expect((await pets.read(1)).json).to.deep.equal({ id: 1, name: 'Rex', tag: 'brown', category: 'Two' })
  })

  for (const category of ['One', 'Two', 'Three']) {
    it(`accepts category ${category}`, async () => {
      expect((await pets.read(await pets.add({ name: 'Rex', category }))).json).to.contain({ category })
    })
  }

  it('trims the name and nothing else', async () => {
    const id = await pets.add({ name: ' \u00A0Rex  the  Dog\t\n', tag: ' brown ' })
    expect((await pets.read(id)).json).to.deep.equal({ id, name: 'Rex  the  Dog', tag: ' brown ' })
  })

  it('counts code points, not UTF-16 units', async () => {
    const name = '🐕'.repeat(200)
    const tag = '𝒳'.repeat(100)
    const id = await pets.add({ name, tag })
    expect((await pets.read(id)).json).to.deep.equal({ id, name, tag })
    await expectRefused({ name: `${name}x` }, 'name: must have 1 to 200 characters')
    await expectRefused({ name, tag: `${tag}x` }, 'tag: must have 1 to 100 characters')
  })

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

  it('accepts names of 1 to 200 characters, after trimming', async () => {
    await pets.add({ name: 'n'.repeat(200) })
    await pets.add({ name: ` ${'n'.repeat(200)} ` })
    for (const name of ['', ' ', '\t\n\u00A0\uFEFF', 'n'.repeat(201), 'n'.repeat(60_000)]) {
      await expectRefused({ name }, 'name: must have 1 to 200 characters')
    }
  })

  it('accepts tags of 1 to 100 characters', async () => {
    await pets.add({ name: 'Rex', tag: 't'.repeat(100) })
    for (const tag of ['', 't'.repeat(101)]) {
      await expectRefused({ name: 'Rex', tag }, 'tag: must have 1 to 100 characters')
    }
  })

  it('rejects control characters', async () => {
    for (const code of [0, 1, 8, 9, 10, 13, 27, 31, 127, 128, 133, 159]) {
      const text = `a${String.fromCharCode(code)}b`
      await expectRefused({ name: text }, 'name: must not contain control characters')
      await expectRefused({ name: 'Rex', tag: text }, 'tag: must not contain control characters')
    }
  })

  it('rejects half of a surrogate pair', async () => {
    for (const half of ['\\ud83d', '\\udc15', '\\udc15\\ud83d']) {
      await expectRefused(`{"name":"a${half}b"}`, 'name: must not contain control characters')
    }
  })

  it('rejects other categories', async () => {
    for (const category of ['', 'one', 'Four', 'One ', 'toString', '__proto__']) {
      await expectRefused({ name: 'Rex', category }, 'category: must be one of One, Two, Three')
    }
  })

  it('rejects wrong types, including null', async () => {
    for (const wrong of [null, 7, true, {}, [], ['Rex'], { $gt: '' }]) {
      await expectRefused({ name: wrong })
      await expectRefused({ name: 'Rex', tag: wrong })
      await expectRefused({ name: 'Rex', category: wrong })
    }
  })

  it('rejects a body without a name', async () => {
    await expectRefused({}, 'name: required')
    await expectRefused({ tag: 'brown' }, 'name: required')
    await expectRefused('{"__proto__":{"name":"Rex"}}')
  })

  it('names every broken rule', async () => {
    const reply = await pets.create({ name: '', tag: '', category: 'Four' })
    expectError(
      reply,
      400,
      'name: must have 1 to 200 characters; tag: must have 1 to 100 characters; category: must be one of One, Two, Three',
    )
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
