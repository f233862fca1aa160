import { expect } from 'chai'
import { startService, type TestService } from '../../support/http/service.js'
import { createPetClient, expectError, PETS, type PetClient } from '../../support/http/pet-calls.js'

const EMPTY = 'body: must hold at least one of age, hunts or of bark, breed'
const MIXED = 'body: must not mix age or hunts of a cat with bark or breed of a dog'
const AGE = 'age: must be an integer from 0 to 200'
const BREED = 'breed: must have 1 to 100 characters'

describe('updating a pet', () => {
  let service: TestService
  let pets: PetClient
  before(async () => {
    service = await startService()
    pets = await createPetClient(service)
  })
  after(() => service.close())

  /** Sends a body to a pet of age 3 and expects that the pet stays unchanged. */
  const expectRefused = async (body: unknown, message?: string) => {
    const id = await pets.add()
    await pets.patch(id, { age: 3 })
    const call =
      typeof body === 'string' ? { body, headers: { 'Content-Type': 'application/json' } } : { json: body }
    const reply = await pets.call('PATCH', `${PETS}/${id}`, call)
    expectError(reply, 400, message)
    expect(reply.headers.etag).to.equal(undefined)
    const after = await pets.read(id)
    expect(after.json).to.deep.equal({ id, name: 'Rex', age: 3 })
    expect(after.headers.etag).to.equal(`"${id}-2"`)
  }

  for (const change of [
    { age: 0 },
    { age: 200 },
    { age: 7, hunts: false },
    { hunts: true },
    { bark: false },
    { breed: 'x' },
    { bark: true, breed: 'b'.repeat(100) },
    { breed: '🐩'.repeat(100) },
    { breed: ' Poodle ' },
  ]) {
    it(`accepts ${JSON.stringify(change).slice(0, 40)} and shows it`, async () => {
      const id = await pets.add({ name: 'Rex', tag: 'x', category: 'One' })
      const reply = await pets.patch(id, change)
      expect(reply.status).to.equal(200)
      const pet = { id, name: 'Rex', tag: 'x', category: 'One', ...change }
      expect(reply.json).to.deep.equal(pet)
      expect(reply.headers.etag).to.equal(`"${id}-2"`)
      expect(reply.headers['cache-control']).to.equal('no-store, no-transform')
      expect((await pets.read(id)).json).to.deep.equal(pet)
    })
  }

  it('accepts a whole number in any notation', async () => {
    const id = await pets.add()
    for (const [written, age] of [
      ['1.0', 1],
      ['2e1', 20],
      ['-0', 0],
    ] as const) {
      const headers = { 'Content-Type': 'application/json' }
      const reply = await pets.call('PATCH', `${PETS}/${id}`, { body: `{"age":${written}}`, headers })
      expect(reply.json).to.deep.equal({ id, name: 'Rex', age })
    }
  })

  for (const type of [
    'application/json',
    'application/merge-patch+json',
    'Application/Merge-Patch+JSON; charset=UTF-8',
  ]) {
    it(`accepts ${type}`, async () => {
      const id = await pets.add()
      const reply = await pets.patch(id, { age: 1 }, { 'Content-Type': type })
      expect(reply.json).to.deep.equal({ id, name: 'Rex', age: 1 })
    })
  }

  it('rejects merge-patch for a new pet', async () => {
    expectError(await pets.create({ name: 'Rex' }, { 'Content-Type': 'application/merge-patch+json' }), 415)
  })

  it('rejects json-patch', async () => {
    const id = await pets.add()
    expectError(await pets.patch(id, { age: 1 }, { 'Content-Type': 'application/json-patch+json' }), 415)
  })

  it('merges within one shape', async () => {
    const id = await pets.add()
    await pets.patch(id, { age: 3 })
    expect((await pets.patch(id, { hunts: true })).json).to.deep.equal({
      id,
      name: 'Rex',
      age: 3,
      hunts: true,
    })
    expect((await pets.patch(id, { age: 4 })).json).to.deep.equal({ id, name: 'Rex', age: 4, hunts: true })
  })

  it('replaces the traits of one shape with the traits of the other', async () => {
    const id = await pets.add()
    await pets.patch(id, { age: 3, hunts: true })
    expect((await pets.patch(id, { bark: false })).json).to.deep.equal({ id, name: 'Rex', bark: false })
    const dog = { id, name: 'Rex', bark: false, breed: 'Poodle' }
    expect((await pets.patch(id, { breed: 'Poodle' })).json).to.deep.equal(dog)
    expect((await pets.patch(id, { hunts: false })).json).to.deep.equal({ id, name: 'Rex', hunts: false })
    expect((await pets.read(id)).json).to.deep.equal({ id, name: 'Rex', hunts: false })
  })

  it('increments the ETag even if nothing changes', async () => {
    const id = await pets.add()
    expect((await pets.patch(id, { age: 3 })).headers.etag).to.equal(`"${id}-2"`)
    expect((await pets.patch(id, { age: 3 })).headers.etag).to.equal(`"${id}-3"`)
  })

  it('rejects an empty object', async () => {
    await expectRefused({}, EMPTY)
  })

  it('rejects traits of both shapes together', async () => {
    for (const change of [
      { age: 1, bark: true },
      { hunts: true, breed: 'x' },
      { age: 1, hunts: true, bark: true, breed: 'x' },
    ]) {
      await expectRefused(change, MIXED)
    }
  })

  for (const member of [
    'name',
    'id',
    'tag',
    'revision',
    'traits',
    'kind',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
  ]) {
    it(`rejects the member ${member} and names it`, async () => {
      const rule = `unknown field "${member}"`
      await expectRefused(`{"${member}":1}`, rule)
      await expectRefused(`{"age":4,"${member}":{"polluted":1}}`, rule)
      await expectRefused(`{"bark":true,"${member}":null}`, rule)
      expect(Object.prototype).to.not.have.property('polluted')
    })
  }

  it('suggests the member that was probably meant', async () => {
    await expectRefused({ Age: 1 }, 'unknown field "Age" (did you mean "age"?)')
  })

  it('names the requirement of each member', async () => {
    await expectRefused({ age: '3' }, 'age: must be a number')
    await expectRefused({ hunts: 'yes' }, 'hunts: must be true or false')
    await expectRefused({ breed: 5 }, 'breed: must be a string')
  })

  it('rejects null for any member', async () => {
    const rules = { age: 'a number', hunts: 'true or false', bark: 'true or false', breed: 'a string' }
    for (const [member, rule] of Object.entries(rules))
      await expectRefused({ [member]: null }, `${member}: must be ${rule}`)
  })

  describe('by a merge patch', () => {
    const TYPE = { 'Content-Type': 'application/merge-patch+json' }

    it('removes members that are null, also if they are absent', async () => {
      const id = await pets.add()
      await pets.patch(id, { age: 3, hunts: true })
      const cat = { id, name: 'Rex', hunts: true }
      expect((await pets.patch(id, { age: null }, TYPE)).json).to.deep.equal(cat)
      expect((await pets.patch(id, { age: null }, TYPE)).json).to.deep.equal(cat)
      const older = { id, name: 'Rex', age: 4 }
      expect((await pets.patch(id, { age: 4, hunts: null }, TYPE)).json).to.deep.equal(older)
      expect((await pets.read(id)).json).to.deep.equal(older)
      expect((await pets.read(id)).headers.etag).to.equal(`"${id}-5"`)
    })

    it('leaves a pet without a shape when its last trait is removed', async () => {
      const id = await pets.add()
      await pets.patch(id, { age: 3 })
      const reply = await pets.patch(id, { age: null, hunts: null }, TYPE)
      expect([reply.status, reply.json]).to.deep.equal([200, { id, name: 'Rex' }])
      expect((await pets.read(id)).json).to.deep.equal({ id, name: 'Rex' })
      expect((await pets.patch(id, { bark: true })).json).to.deep.equal({ id, name: 'Rex', bark: true })
    })

    it('keeps the traits of the other shape if it sets nothing', async () => {
      const id = await pets.add()
      await pets.patch(id, { age: 3 })
      expect((await pets.patch(id, { bark: null }, TYPE)).json).to.deep.equal({ id, name: 'Rex', age: 3 })
      const dog = { id, name: 'Rex', breed: 'Pug' }
      expect((await pets.patch(id, { bark: null, breed: 'Pug' }, TYPE)).json).to.deep.equal(dog)
    })

    it('follows the same rules otherwise', async () => {
      const id = await pets.add()
      expectError(await pets.patch(id, {}, TYPE), 400, EMPTY)
      expectError(await pets.patch(id, { age: null, bark: null }, TYPE), 400, MIXED)
      expectError(await pets.patch(id, { age: 201, hunts: null }, TYPE), 400, AGE)
      expectError(await pets.patch(id, { age: '3' }, TYPE), 400, 'age: must be a number')
      expectError(await pets.patch(id, { name: null }, TYPE), 400, 'unknown field "name"')
    })

    it('removes nothing with a stale ETag', async () => {
      const id = await pets.add()
      const { etag = '' } = (await pets.patch(id, { age: 3 })).headers
      await pets.patch(id, { age: 4 })
      expectError(await pets.patch(id, { age: null }, { ...TYPE, 'If-Match': etag }), 412)
      expect((await pets.read(id)).json).to.deep.equal({ id, name: 'Rex', age: 4 })
    })
  })

  it('rejects invalid ages', async () => {
    for (const age of [-1, 201, 1.5, 1e21]) await expectRefused({ age }, AGE)
    for (const age of ['"3"', 'true', '[]', '{}', '""', 'null']) await expectRefused(`{"age":${age}}`)
    await expectRefused('{"age":1e999}')
    await expectRefused('{"age":1.0000000001}', AGE)
  })

  it('rejects values other than true and false', async () => {
    for (const wrong of [0, 1, 'true', '', [], {}]) {
      await expectRefused({ hunts: wrong })
      await expectRefused({ bark: wrong })
    }
  })

  it('rejects invalid breeds', async () => {
    for (const breed of ['', 'b'.repeat(101), '🐩'.repeat(101)]) await expectRefused({ breed }, BREED)
    for (const breed of ['a\nb', 'a\u0000b', 'a\u0085b']) {
      await expectRefused({ breed }, 'breed: must not contain control characters')
    }
    await expectRefused('{"breed":"\\ud83d"}')
    for (const breed of [7, true, {}, []]) await expectRefused({ breed })
  })

  it('names the member with a wrong type', async () => {
    const id = await pets.add()
    for (const member of ['age', 'hunts', 'bark', 'breed']) {
      const { message } = (await pets.patch(id, { [member]: { $gt: '' } })).json as { message: string }
      expect(message).to.match(new RegExp(`^${member}: `))
    }
  })

  it('checks the body before it looks for the pet', async () => {
    expectError(await pets.patch(999_999, {}), 400, EMPTY)
    expectError(await pets.patch('abc', { age: 1 }), 404)
  })
})
